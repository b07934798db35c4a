// SPDX-License-Identifier: AGPL-3.0-or-later
#include "world.hpp"

namespace {

struct Markers : OnEachWorld {
    Person alice = w.local("alice");
};
ON_EACH_DATABASE(Markers);

TEST_P(Markers, are_written_and_read_by_timeline) {
    EXPECT_EQ(alice.get("/api/v1/markers", {{"timeline[]", "home"}}).body, "{}");
    auto written = alice.post("/api/v1/markers", {{"home[last_read_id]", "123"}});
    EXPECT_EQ(
        written.body, R"({"home":{"last_read_id":"123","version":0,"updated_at":"2026-01-01T00:00:00.000Z"}})"
    );
    EXPECT_EQ(w.happened(), "");
    EXPECT_EQ(w.changed(), "markers +1");
    EXPECT_EQ(alice.get("/api/v1/markers").body, "{}");
    EXPECT_EQ(
        alice.get("/api/v1/markers", {{"timeline[]", "home"}, {"timeline[]", "notifications"}}).body,
        written.body
    );
    EXPECT_EQ(alice.get("/api/v1/markers", {{"timeline[]", "notifications"}}).body, "{}");
}

TEST_P(Markers, grow_by_one_with_each_write_and_may_go_back) {
    alice.post("/api/v1/markers", {{"home[last_read_id]", "123"}});
    w.advance(5);
    auto answer =
        alice.post("/api/v1/markers", {{"home[last_read_id]", "7"}, {"notifications[last_read_id]", "9"}});
    EXPECT_EQ(answer["home.last_read_id"], "7");
    EXPECT_EQ(answer["home.version"], "1");
    EXPECT_EQ(answer["home.updated_at"], "2026-01-01T00:00:05.000Z");
    EXPECT_EQ(answer["notifications.version"], "0");
}

TEST_P(Markers, are_ones_own) {
    alice.post("/api/v1/markers", {{"home[last_read_id]", "123"}});
    EXPECT_EQ(w.local("bob").get("/api/v1/markers", {{"timeline[]", "home"}}).body, "{}");
}

TEST_P(Markers, take_json) {
    auto answer = alice.send(
        http::Method::post, "/api/v1/markers", R"({"home":{"last_read_id":"5"}})", "application/json"
    );
    EXPECT_EQ(answer["home.last_read_id"], "5");
}

}  // namespace
