// SPDX-License-Identifier: AGPL-3.0-or-later
// Ids of the API of before, which apps have kept.
#include "social/former/stage.hpp"

#include <gmock/gmock.h>

namespace {

using namespace former_test;
using testing::ElementsAre, testing::IsEmpty;

struct FormerIds : TookOver {
    Person alice = w.local("alice"), bob = w.local("bob");
    std::string first = bob.status("first");

    void named(const std::string& kind, const std::string& former, const std::string& id) {
        w.write([&](db::Write& db) { db.run(test_former_id, kind, former, std::int64_t{std::stoll(id)}); });
    }
};
ON_EACH_DATABASE(FormerIds);

TEST_P(FormerIds, in_paths_and_in_parameters_find_what_they_named) {
    named("status", ulid, first);
    named("account", flake, bob.id);
    EXPECT_EQ(alice.get(std::string("/api/v1/statuses/") + ulid).id(), first);
    EXPECT_EQ(alice.get(std::string("/api/v1/accounts/") + flake).id(), bob.id);
    EXPECT_EQ(alice.post(std::string("/api/v1/statuses/") + ulid + "/favourite")["favourited"], "true");
    auto answer = alice.status("hi", {{"in_reply_to_id", ulid}});
    EXPECT_EQ(alice.get("/api/v1/statuses/" + answer)["in_reply_to_id"], first);
    auto list = alice.post("/api/v1/lists", {{"title", "friends"}}).id();
    named("list", uuid, list);
    alice.follows(bob);
    EXPECT_EQ(
        alice.post(std::string("/api/v1/lists/") + uuid + "/accounts", {{"account_ids[]", flake}}).status, 200
    );
    EXPECT_THAT(alice.get("/api/v1/lists/" + list + "/accounts").ids(), ElementsAre(bob.id));
    EXPECT_THAT(
        alice.get("/api/v1/accounts/relationships", {{"id[]", flake}, {"id[]", alice.id}}).ids(),
        ElementsAre(bob.id, alice.id)
    );
    EXPECT_EQ(alice.post("/api/v1/markers", {{"home[last_read_id]", ulid}})["home.last_read_id"], first);
}

TEST_P(FormerIds, that_nobody_knows_name_nothing) {
    EXPECT_EQ(alice.get(std::string("/api/v1/statuses/") + ulid).status, 404);
    EXPECT_EQ(alice.get(std::string("/api/v1/accounts/") + uuid).status, 404);
    EXPECT_EQ(alice.get("/api/v1/statuses/" + std::string(300, 'x')).status, 404);
    EXPECT_EQ(alice.get("/api/v1/statuses/" + first).id(), first);
}

TEST_P(FormerIds, as_cursors_count_by_what_they_named_or_by_their_time) {
    auto second = bob.status("second"), third = bob.status("third");
    named("status", uuid, second);
    auto statuses = "/api/v1/accounts/" + bob.id + "/statuses";
    EXPECT_THAT(alice.get(statuses, {{"max_id", uuid}}).ids(), ElementsAre(first));
    EXPECT_THAT(alice.get(statuses, {{"since_id", uuid}}).ids(), ElementsAre(third));
    EXPECT_THAT(alice.get(statuses, {{"min_id", uuid}}).ids(), ElementsAre(third));
    // Of 2024 each, and so before all of these; then of the year 2255.
    for (auto before : {ulid, flake, "018dcbe1-fe68-7c3e-9a55-2f4c7b1d0e64"}) {
        EXPECT_THAT(alice.get(statuses, {{"max_id", before}}).ids(), IsEmpty()) << before;
        EXPECT_THAT(alice.get(statuses, {{"since_id", before}}).ids(), ElementsAre(third, second, first))
            << before;
    }
    for (auto after : {"0831N65T4Z5P8Q3R7S1T9V2W6X", "082f0000-0000-7000-8000-000000000000"})
        EXPECT_THAT(alice.get(statuses, {{"max_id", after}}).ids(), ElementsAre(third, second, first))
            << after;
    // Random ones have no time.
    EXPECT_NE(alice.get(statuses, {{"max_id", "9b2d6f3e-5a41-4c3e-9a55-2f4c7b1d0e64"}}).status, 500);
}

TEST_P(FormerIds, are_asked_for_once_however_many_there_are) {
    named("account", flake, bob.id);
    auto asked = [&](int count) {
        Fields ids;
        for (int i = 0; i < count; ++i) ids.emplace_back("id[]", flake);
        w.queries();
        EXPECT_EQ(alice.get("/api/v1/accounts/relationships", ids).status, 200);
        return w.queries();
    };
    EXPECT_EQ(asked(1), asked(40));
}

TEST_P(FormerIds, are_not_looked_for_where_ids_were_numbers) {
    named("status", ulid, first);
    auto path = std::string("/api/v1/statuses/") + ulid;
    w.queries();
    EXPECT_EQ(alice.get(path).status, 200);
    auto with = w.queries();
    former::use_past({true, false});
    EXPECT_EQ(alice.get(path).status, 404);
    EXPECT_LT(w.queries(), with);
}

}  // namespace
