// SPDX-License-Identifier: AGPL-3.0-or-later
// Rate limits as a client meets them (behaviours: section 9). The windows themselves: tests/http/limits_test.cpp.
#include "world.hpp"

namespace {

struct LimitedWorld : testing::TestWithParam<support::Database> {
    World w{GetParam(), {.limits = true}};
    Person alice = w.local("alice"), bob = w.local("bob");
};
ON_EACH_DATABASE(LimitedWorld);

TEST_P(LimitedWorld, counts_a_status_only_when_it_is_created) {
    auto keyed = alice.with("Idempotency-Key", "k");
    EXPECT_EQ(keyed.post("/api/v1/statuses", {{"status", "a"}}).header("X-RateLimit-Remaining"), "299");
    w.advance(300);  // a new window of the general limits
    for (int i = 0; i < 3; ++i) {
        auto again = keyed.post("/api/v1/statuses", {{"status", "a"}});
        EXPECT_EQ(again.status, 200);
    }
    EXPECT_EQ(alice.post("/api/v1/statuses", {{"status", ""}}).status, 422);
    for (int i = 0; i < 298; ++i) {
        if (i % 100 == 0) w.advance(300);
        ASSERT_EQ(alice.post("/api/v1/statuses", {{"status", "b"}}).status, 200) << i;
    }
    w.advance(300);
    auto last = alice.post("/api/v1/statuses", {{"status", "c"}});
    EXPECT_EQ(last.status, 200);
    EXPECT_EQ(last.header("X-RateLimit-Limit"), "300");
    EXPECT_EQ(last.header("X-RateLimit-Remaining"), "0");
    auto refused = alice.post("/api/v1/statuses", {{"status", "d"}});
    EXPECT_EQ(refused.status, 429);
    EXPECT_EQ(refused.error(), "Too many requests");
    EXPECT_EQ(refused.header("X-RateLimit-Reset"), "2026-01-01T03:00:00.000000Z");
    EXPECT_EQ(bob.post("/api/v1/statuses", {{"status", "his"}}).status, 200);
    w.advance(3 * 3600);
    EXPECT_EQ(alice.post("/api/v1/statuses", {{"status", "e"}}).status, 200);
}

TEST_P(LimitedWorld, counts_a_follow_only_when_it_begins) {
    auto path = "/api/v1/accounts/" + bob.id + "/follow";
    std::string before;
    for (int i = 0; i < 5; ++i) {
        w.advance(300);
        auto answer = alice.post(path);
        EXPECT_EQ(answer.header("X-RateLimit-Limit"), "300") << i;  // the general one is nearer
        EXPECT_EQ(answer.header("X-RateLimit-Remaining"), "299") << i;
    }
}

TEST_P(LimitedWorld, tells_the_standing_on_refusals_too) {
    auto answer = w.anonymous().get("/api/v1/timelines/home");
    EXPECT_EQ(answer.status, 401);
    EXPECT_EQ(answer.header("X-RateLimit-Remaining"), "299");
    EXPECT_EQ(answer.header("X-RateLimit-Reset"), "2026-01-01T00:05:00.000000Z");
}

TEST_P(LimitedWorld, refuses_the_31st_deletion_in_half_an_hour) {
    std::vector<std::string> made;
    for (int i = 0; i < 31; ++i) made.push_back(alice.status("s"));
    for (int i = 0; i < 30; ++i)
        ASSERT_EQ(alice.del("/api/v1/statuses/" + made[static_cast<std::size_t>(i)]).status, 200) << i;
    auto refused = alice.del("/api/v1/statuses/" + made[30]);
    EXPECT_EQ(refused.status, 429);
    EXPECT_EQ(alice.get("/api/v1/statuses/" + made[30]).status, 200);
    w.advance(1800);
    EXPECT_EQ(alice.del("/api/v1/statuses/" + made[30]).status, 200);
}

}  // namespace
