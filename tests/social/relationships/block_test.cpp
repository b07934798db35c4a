// SPDX-License-Identifier: AGPL-3.0-or-later
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct Blocks : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");
    static std::string path(const Person& p, const std::string& verb) {
        return "/api/v1/accounts/" + p.id + "/" + verb;
    }
};
ON_EACH_DATABASE(Blocks);

TEST_P(Blocks, end_follows_both_ways_and_all_notifications) {
    alice.follows(bob);
    bob.follows(alice);
    auto status = alice.status("hello @bob");
    bob.favourites(status);
    w.run_jobs();
    w.happened(), w.changed();
    auto answer = alice.post(path(bob, "block"));
    EXPECT_EQ(answer["blocking"], "true");
    EXPECT_EQ(answer["following"], "false");
    EXPECT_EQ(answer["followed_by"], "false");
    EXPECT_EQ(w.happened(), "Unfollowed, Unfollowed, Blocked");
    EXPECT_EQ(w.changed(), "follows -2, blocks +1, notifications -4, jobs +2");
    EXPECT_THAT(alice.get("/api/v1/notifications").ids(), IsEmpty());
    EXPECT_THAT(bob.get("/api/v1/notifications").ids(), IsEmpty());
    EXPECT_EQ(bob.get("/api/v1/accounts/" + alice.id).status, 200);
    EXPECT_EQ(bob.get("/api/v1/accounts/relationships", {{"id", alice.id}})["0.blocked_by"], "true");
    EXPECT_EQ(bob.get("/api/v1/accounts/" + alice.id)["following_count"], "0");
    EXPECT_EQ(bob.get("/api/v1/statuses/" + status).status, 404);
}

TEST_P(Blocks, reject_pending_requests) {
    alice.patch("/api/v1/accounts/update_credentials", {{"locked", "true"}});
    bob.follows(alice);
    w.happened(), w.changed();
    alice.blocks(bob);
    EXPECT_EQ(w.happened(), "FollowRequestAnswered, Blocked");
    EXPECT_EQ(w.changed(), "follow_requests -1, blocks +1, notifications -1");
}

TEST_P(Blocks, repeated_do_nothing) {
    alice.blocks(bob);
    w.happened(), w.changed();
    alice.blocks(bob);
    EXPECT_EQ(w.happened() + w.changed(), "");
    EXPECT_EQ(alice.post(path(alice, "block")).status, 403);
    EXPECT_EQ(w.happened() + w.changed(), "");
}

TEST_P(Blocks, removed_restore_nothing) {
    alice.follows(bob);
    alice.blocks(bob);
    w.happened(), w.changed();
    auto answer = alice.post(path(bob, "unblock"));
    EXPECT_EQ(answer["blocking"], "false");
    EXPECT_EQ(answer["following"], "false");
    EXPECT_EQ(w.happened(), "Unblocked");
    EXPECT_EQ(w.changed(), "blocks -1");
    EXPECT_EQ(alice.post(path(bob, "unblock")).status, 200);
    EXPECT_EQ(w.happened() + w.changed(), "");
}

TEST_P(Blocks, refuse_favourites_and_reblogs_of_the_blocked) {
    auto status = bob.status("hello");
    alice.blocks(bob);
    w.happened(), w.changed();
    EXPECT_EQ(
        alice.get("/api/v1/statuses/" + status).status, 200
    );  // a block of one's own hides nothing by id
    EXPECT_EQ(alice.post("/api/v1/statuses/" + status + "/favourite").status, 403);
    EXPECT_EQ(alice.post("/api/v1/statuses/" + status + "/reblog").status, 403);
    EXPECT_EQ(w.happened() + w.changed(), "");
}

TEST_P(Blocks, keep_mentions_plain) {
    alice.blocks(bob);
    auto status = alice.status("hello @bob");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status)["mentions"], "[]");
    EXPECT_THAT(bob.get("/api/v1/notifications").ids(), IsEmpty());
}

TEST_P(Blocks, hide_each_from_the_other_in_public) {
    auto hers = alice.status("a #tag"), his = bob.status("b #tag");
    alice.blocks(bob);
    for (auto path : {"/api/v1/timelines/public", "/api/v1/timelines/tag/tag"}) {
        EXPECT_THAT(alice.get(path).ids(), ElementsAre(hers)) << path;
        EXPECT_THAT(bob.get(path).ids(), ElementsAre(his)) << path;
        EXPECT_THAT(carol.get(path).ids(), ElementsAre(his, hers)) << path;
    }
    EXPECT_EQ(bob.get("/api/v1/accounts/" + alice.id + "/statuses").body, "[]");
}

struct Mutes : Blocks {};
ON_EACH_DATABASE(Mutes);

TEST_P(Mutes, hide_and_clear_notifications) {
    bob.follows(alice);
    w.happened(), w.changed();
    auto answer = alice.post(path(bob, "mute"));
    EXPECT_EQ(answer["muting"], "true");
    EXPECT_EQ(answer["muting_notifications"], "true");
    EXPECT_EQ(answer["muting_expires_at"], "null");
    EXPECT_EQ(w.happened(), "Muted");
    EXPECT_EQ(w.changed(), "mutes +1, notifications -1");
    bob.status("hello @alice");
    EXPECT_THAT(alice.get("/api/v1/notifications").ids(), IsEmpty());
    EXPECT_EQ(bob.get("/api/v1/accounts/relationships", {{"id", alice.id}})["0.blocked_by"], "false");
}

TEST_P(Mutes, without_notifications_leave_them) {
    bob.follows(alice);
    alice.mutes(bob, {{"notifications", "false"}});
    EXPECT_THAT(alice.get("/api/v1/notifications").all("type"), ElementsAre("follow"));
    bob.status("hello @alice");
    EXPECT_THAT(alice.get("/api/v1/notifications").all("type"), ElementsAre("mention", "follow"));
}

TEST_P(Mutes, hide_in_timelines_but_not_by_id) {
    alice.follows(bob);
    auto status = bob.status("hello");
    EXPECT_THAT(alice.home(), ElementsAre(status));
    alice.mutes(bob);
    EXPECT_THAT(alice.home(), IsEmpty());
    EXPECT_THAT(alice.get("/api/v1/timelines/public").ids(), IsEmpty());
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status).status, 200);
    EXPECT_THAT(alice.get("/api/v1/accounts/" + bob.id + "/statuses").ids(), ElementsAre(status));
    auto reblog = carol.reblogs(status);
    alice.follows(carol);
    EXPECT_THAT(alice.home(), IsEmpty());
    alice.post(path(bob, "unmute"));
    EXPECT_THAT(alice.home(), ElementsAre(status));  // and not the reblog of what is there already
}

TEST_P(Mutes, expire) {
    alice.follows(bob);
    auto status = bob.status("hello");
    auto answer = alice.post(path(bob, "mute"), {{"duration", "60"}});
    EXPECT_EQ(answer["muting_expires_at"], "2026-01-01T00:01:00Z");
    EXPECT_THAT(alice.home(), IsEmpty());
    w.advance(61);
    EXPECT_THAT(alice.home(), ElementsAre(status));
    EXPECT_EQ(alice.get("/api/v1/accounts/relationships", {{"id", bob.id}})["0.muting"], "false");
    bob.status("hi @alice");
    EXPECT_THAT(alice.get("/api/v1/notifications").all("type"), ElementsAre("mention"));
}

TEST_P(Mutes, repeated_take_the_new_terms) {
    alice.mutes(bob, {{"duration", "60"}});
    w.happened(), w.changed();
    EXPECT_EQ(alice.post(path(bob, "mute"), {{"notifications", "false"}})["muting_notifications"], "false");
    EXPECT_EQ(alice.get("/api/v1/accounts/relationships", {{"id", bob.id}})["0.muting_expires_at"], "null");
    EXPECT_EQ(w.changed(), "");
    EXPECT_EQ(alice.post(path(alice, "mute")).status, 403);
    EXPECT_EQ(alice.post(path(bob, "unmute"))["muting"], "false");
    EXPECT_EQ(w.changed(), "mutes -1");
}

TEST_P(Mutes, hide_what_mentions_the_muted) {
    alice.follows(carol);
    carol.status("look @bob");
    auto other = carol.status("nice weather");
    alice.mutes(bob);
    EXPECT_THAT(alice.home(), ElementsAre(other));
    EXPECT_THAT(alice.get("/api/v1/timelines/public").ids(), ElementsAre(other));
}

}  // namespace
