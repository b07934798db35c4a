// SPDX-License-Identifier: AGPL-3.0-or-later
// What other servers bring that is about things as the server of before called them, and what they are told of those.
#include "social/former/stage.hpp"

#include <gmock/gmock.h>

const db::Command test_named_follow{
    "test_named_follow",
    R"(INSERT INTO follows (id, account_id, target_id, created_at, uri) VALUES ($1, $2, $3, $4, $5))"
};
const db::Command test_named_block{
    "test_named_block",
    "INSERT INTO blocks (id, account_id, target_id, created_at, uri) VALUES ($1, $2, $3, $4, $5)"
};
const db::Command test_name_like{"test_name_like", "UPDATE favourites SET uri = $2 WHERE account_id = $1"};
const db::Query<std::string> test_origin_of_follow{
    "test_origin_of_follow", "SELECT origin FROM follows WHERE account_id = $1"
};

namespace {

using namespace former_test;
using testing::ElementsAre, testing::IsEmpty;

struct FormerNames : TookOver {
    Person alice = w.local("alice");
    Peer bob{w};
    const std::string address = std::string("/users/alice/statuses/") + ulid;
    std::string status;

    FormerNames() {
        name(alice, "/users/alice", "/main-key");
        status = alice.status("hello");
        name(status, address, ulid);
        bob.known();
        w.run_jobs();
        w.happened();
    }
    void comes(const std::string& body, const std::string& inbox = "/inbox") {
        EXPECT_EQ(bob.brings(body, inbox).status, 202);
        w.run_inbox();
    }
};
ON_EACH_DATABASE(FormerNames);

TEST_P(FormerNames, of_posts_are_liked_boosted_and_answered) {
    comes(bob.like(url(address)));
    comes(
        bob.activity("Announce", url(address), "2", R"(,"to":"https://www.w3.org/ns/activitystreams#Public")")
    );
    comes(bob.create(bob.note("3", "an answer", ",\"inReplyTo\":\"" + url(address) + "\""), "4"));
    auto seen = alice.get("/api/v1/statuses/" + status);
    EXPECT_EQ(seen["favourites_count"], "1");
    EXPECT_EQ(seen["reblogs_count"], "1");
    EXPECT_EQ(seen["replies_count"], "1");
    auto thread = alice.get("/api/v1/statuses/" + status + "/context");
    EXPECT_EQ(thread["descendants.0.in_reply_to_id"], status);
    EXPECT_EQ(thread["descendants.0.uri"], bob.note_id("3"));
    comes(bob.undo(bob.like(url(address))));
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status)["favourites_count"], "0");
}

TEST_P(FormerNames, of_people_are_followed_at_the_inboxes_of_before) {
    comes(bob.follow(url("/users/alice")), "/users/alice/inbox");
    EXPECT_EQ(alice.get("/api/v1/accounts/" + alice.id)["followers_count"], "1");
    auto told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0]["type"], "Accept");
    EXPECT_EQ(told[0]["actor"], url("/users/alice"));

    auto carol = w.local("carol");
    name(carol, "/@carol", "#main-key");
    comes(bob.follow(url("/@carol"), "2"), "/@carol/inbox");
    EXPECT_EQ(alice.get("/api/v1/accounts/" + carol.id)["followers_count"], "1");
    EXPECT_EQ(bob.brings(bob.follow(url("/@carol"), "3"), "/@nobody/inbox").status, 404);
    EXPECT_EQ(bob.brings(bob.follow(url("/@carol"), "3"), "/@carol/letters").status, 404);
}

TEST_P(FormerNames, of_the_server_itself_take_activities) {
    for (std::string server : {"/users/social.example.test", "/relay", "/internal/fetch"}) {
        path(server, "account", 0);
        comes(bob.like(url(address), server), server + "/inbox");
    }
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status)["favourites_count"], "1");
    EXPECT_EQ(bob.brings(bob.like(url(address), "9"), "/users/nobody.example.test/inbox").status, 404);
}

TEST_P(FormerNames, of_follows_are_named_when_they_end) {
    const auto follow = url("/users/alice/follow/" + std::string(ulid));
    w.write([&](db::Write& db) {
        db.run(
            test_named_follow, db.new_id<base::FollowId>(), remote::number(alice), bob.id, db.now(), follow
        );
    });
    w.happened();
    EXPECT_EQ(alice.post("/api/v1/accounts/" + std::to_string(bob.id.value) + "/unfollow").status, 200);
    auto told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0]["type"], "Undo");
    EXPECT_EQ(told[0]["object.id"], follow);
    EXPECT_EQ(told[0]["object.actor"], url("/users/alice"));
}

TEST_P(FormerNames, of_blocks_and_likes_are_named_when_they_end) {
    const auto block = url("/users/alice/blocks/" + std::string(ulid));
    w.write([&](db::Write& db) {
        db.run(test_named_block, db.new_id<base::BlockId>(), remote::number(alice), bob.id, db.now(), block);
    });
    EXPECT_EQ(alice.post("/api/v1/accounts/" + std::to_string(bob.id.value) + "/unblock").status, 200);
    auto told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0]["type"], "Undo");
    EXPECT_EQ(told[0]["object.id"], block);

    auto note = remote::stored(w, remote::note(w, bob.id, "5"));
    alice.favourites(note);
    auto liked = sent(w);
    ASSERT_EQ(liked.size(), 1u);
    const auto like = url("/activities/" + std::string(uuid));
    w.write([&](db::Write& db) { db.run(test_name_like, remote::number(alice), like); });
    w.changed();
    EXPECT_EQ(alice.post("/api/v1/statuses/" + note + "/unfavourite").status, 200);
    EXPECT_THAT(w.changed(), testing::HasSubstr("favourites -1"));
    auto unliked = sent(w);
    ASSERT_EQ(unliked.size(), 1u);
    EXPECT_EQ(unliked[0]["object.id"], like);
    EXPECT_EQ(unliked[0]["object.type"], "Like");
    EXPECT_EQ(unliked[0]["object.object"], "https://far.example/notes/5");
}

TEST_P(FormerNames, of_likes_are_understood_when_they_are_refused) {
    auto note = remote::stored(w, remote::note(w, bob.id, "5"));
    alice.favourites(note);
    const auto like = url("/activities/" + std::string(uuid));
    w.write([&](db::Write& db) { db.run(test_name_like, remote::number(alice), like); });
    comes(bob.activity("Reject", like, "7"));
    EXPECT_EQ(alice.get("/api/v1/statuses/" + note)["favourited"], "false");
}

TEST_P(FormerNames, of_follows_are_understood_when_they_are_refused) {
    const auto follow = url("/users/alice/follow/" + std::string(ulid));
    w.write([&](db::Write& db) {
        db.run(
            test_named_follow, db.new_id<base::FollowId>(), remote::number(alice), bob.id, db.now(), follow
        );
    });
    comes(bob.activity("Reject", follow, "7"));
    EXPECT_EQ(
        alice.get("/api/v1/accounts/relationships", {{"id[]", std::to_string(bob.id.value)}})["0.following"],
        "false"
    );
}

// Ours have an id of their own here, and a domain all the same they have not.
TEST_P(FormerNames, of_ours_are_not_taken_for_somebody_elsewhere) {
    auto carol = w.local("carol");
    carol.follows(alice);
    EXPECT_EQ(w.read([&](db::Read& db) { return db.one(test_origin_of_follow, remote::number(carol)); }), "");
    comes(bob.follow(url("/users/alice")));
    EXPECT_EQ(
        w.read([&](db::Read& db) { return db.one(test_origin_of_follow, bob.id); }), "https://far.example/"
    );
}

TEST_P(FormerNames, of_our_keys_sign_nothing_that_comes_from_outside) {
    Peer forger{w, "alice", "social.example.test"};
    w.happened();
    for (auto key : {"/users/alice/main-key", "/users/alice#main-key"}) {
        forger.uri = url("/users/alice");
        forger.key_id = url(key);
        EXPECT_EQ(forger.brings(forger.like(url(address))).status, 401) << key;
    }
    EXPECT_EQ(w.run_inbox(), 0);
    EXPECT_EQ(w.happened(), "");
}

}  // namespace
