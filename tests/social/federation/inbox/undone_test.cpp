// SPDX-License-Identifier: AGPL-3.0-or-later
// What is taken back from another server is named as it was sent: many know an activity by its id alone.
#include "server/tables.hpp"
#include "social/federation/inbox/inbox.hpp"
#include "social/federation/peer.hpp"
#include "social/federation/remote.hpp"
#include "social/federation/sent.hpp"

#include <array>

namespace {

struct Undone : OnEachWorld {
    Person alice = w.local("alice");
    Peer bob = Peer(w).known();
    const std::string number = std::to_string(bob.id.value);
    const std::string account = "/api/v1/accounts/" + number;

    // The only activity that is sent by now.
    Answer only(const std::string& type) {
        auto all = sent(w);
        EXPECT_EQ(all.size(), 1u);
        if (all.size() != 1) return {};
        EXPECT_EQ(all[0]["type"], type);
        return all[0].activity;
    }
    Answer after(const std::string& path, const std::string& type) {
        EXPECT_EQ(alice.post(path).status, 200);
        return only(type);
    }
    void takes_back(const std::string& path, const Answer& what) {
        auto undo = after(path, "Undo");
        for (auto member : {"id", "type", "actor"})
            EXPECT_EQ(undo["object." + std::string(member)], what[member]);
        EXPECT_EQ(undo["object.object"], what["object"]);
        EXPECT_EQ(undo["actor"], what["actor"]);
    }
    void comes(const std::string& body) {
        EXPECT_EQ(bob.brings(body).status, 202);
        w.run_inbox();
    }
    std::string as_sent(const Answer& follow) {
        return R"({"type":"Follow","id":")" + follow["id"] + R"(","actor":")" + follow["actor"] +
               R"(","object":")" + follow["object"] + "\"}";
    }
    bool follows() {
        return alice.get("/api/v1/accounts/relationships", {{"id[]", number}})["0.following"] == "true";
    }
};
ON_EACH_DATABASE(Undone);

TEST_P(Undone, follows_are_named_as_they_were_sent_however_far_they_got) {
    auto asked = after(account + "/follow", "Follow");
    takes_back(account + "/unfollow", asked);

    auto accepted = after(account + "/follow", "Follow");
    EXPECT_NE(accepted["id"], asked["id"]);
    comes(bob.activity("Accept", as_sent(accepted), "yes"));
    EXPECT_TRUE(follows());
    EXPECT_EQ(alice.post(account + "/follow", {{"notify", "true"}}).status, 200);
    takes_back(account + "/unfollow", accepted);
}

TEST_P(Undone, follows_keep_their_id_when_the_acceptance_is_withdrawn_and_given_again) {
    auto follow = after(account + "/follow", "Follow");
    auto accept = bob.activity("Accept", as_sent(follow), "yes");
    comes(accept);
    comes(bob.undo(accept));
    EXPECT_FALSE(follows());
    comes(bob.activity("Accept", as_sent(follow), "yes again"));
    EXPECT_TRUE(follows());
    takes_back(account + "/unfollow", follow);
    EXPECT_FALSE(follows());
}

// Both may be under way at once where the one that came first was kept last.
TEST_P(Undone, is_also_what_was_about_to_be_done) {
    const auto status = alice.status("hello");
    const auto address = uri_of(w, status);
    for (const std::string type : {"Like", "Announce"}) {
        const auto said =
            bob.activity(type, address, type, R"(,"to":["https://www.w3.org/ns/activitystreams#Public"])");
        EXPECT_EQ(bob.brings(said).status, 202);
        std::vector<federation::Item> items;
        w.write([&](db::Write& db) { items = federation::lease_items(db, 10, false); });
        ASSERT_EQ(items.size(), 1u);
        federation::Doing doing;
        w.read([&](db::Read& db) {
            const auto brought = federation::read(items[0], server::inbox(), db.now());
            doing = federation::prepare(base::Ask(), db, server::inbox(), brought);
        });
        ASSERT_TRUE(doing.change);
        w.write([&](db::Write& db) {
            federation::keep(db, {.signer = items[0].signer, .body = bob.undo(said)}, "beside it");
        });
        w.run_inbox();
        w.write([&](db::Write& db) {
            federation::finish(db, std::array{federation::Ready{&items[0], &doing}});
        });
        const auto shown = alice.get("/api/v1/statuses/" + status);
        EXPECT_EQ(shown["favourites_count"], "0") << type;
        EXPECT_EQ(shown["reblogs_count"], "0") << type;
    }
    EXPECT_EQ(alice.get("/api/v1/notifications").body, "[]");
}

// Of what it takes back it names the id alone, so that neither waits for the other.
TEST_P(Undone, is_also_what_comes_behind_in_the_same_change) {
    const auto status = alice.status("hello");
    const auto like = bob.activity("Like", uri_of(w, status), "like");
    const auto id = Answer{200, like}["id"];
    EXPECT_EQ(bob.brings(bob.activity("Undo", id, "undo")).status, 202);
    EXPECT_EQ(bob.brings(like).status, 202);
    std::vector<federation::Item> items;
    w.write([&](db::Write& db) { items = federation::lease_items(db, 10, false); });
    ASSERT_EQ(items.size(), 2u);
    std::vector<federation::Doing> doing(2);
    w.read([&](db::Read& db) {
        for (std::size_t i = 0; i < 2; ++i) {
            const auto brought = federation::read(items[i], server::inbox(), db.now());
            doing[i] = federation::prepare(base::Ask(), db, server::inbox(), brought);
            EXPECT_TRUE(doing[i].change);
        }
    });
    w.write([&](db::Write& db) {
        federation::finish(
            db, std::vector<federation::Ready>{{&items[0], &doing[0]}, {&items[1], &doing[1]}}
        );
    });
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status)["favourites_count"], "0");
    EXPECT_EQ(alice.get("/api/v1/notifications").body, "[]");
}

TEST_P(Undone, is_also_what_is_named_by_an_object_of_no_type) {
    const auto status = alice.status("hello");
    const std::string audience = R"(,"to":["https://www.w3.org/ns/activitystreams#Public"])";
    const auto counts = [&] {
        const auto shown = alice.get("/api/v1/statuses/" + status);
        return shown["favourites_count"] + shown["reblogs_count"];
    };
    for (const std::string type : {"Like", "EmojiReact", "Announce"}) {
        const auto said = bob.activity(type, uri_of(w, status), type, audience);
        comes(said);
        EXPECT_EQ(counts(), type == "Announce" ? "01" : "10");
        comes(bob.activity("Undo", R"({"id":")" + Answer{200, said}["id"] + "\"}", "undo-" + type));
        EXPECT_EQ(counts(), "00") << type;
    }
    // What else such an object says does not tell what it is.
    comes(bob.activity("Like", uri_of(w, status), "Like-2", audience));
    comes(bob.activity("Undo", R"({"object":")" + uri_of(w, status) + "\"}", "undo-2"));
    EXPECT_EQ(counts(), "10");
}

TEST_P(Undone, follows_that_end_with_a_block_are_named_as_they_were_sent) {
    auto follow = after(account + "/follow", "Follow");
    comes(bob.activity("Accept", as_sent(follow), "yes"));
    EXPECT_EQ(alice.post(account + "/block").status, 200);
    auto all = sent(w);
    ASSERT_EQ(all.size(), 2u);
    std::size_t undo = all[0]["type"] == "Undo" ? 0 : 1;
    EXPECT_EQ(all[undo]["object.id"], follow["id"]);
    EXPECT_EQ(all[1 - undo]["type"], "Block");
}

TEST_P(Undone, follows_that_were_accepted_are_refused_by_their_id_alone) {
    auto follow = after(account + "/follow", "Follow");
    comes(bob.activity("Accept", follow["id"], "yes"));
    EXPECT_TRUE(follows());
    comes(bob.activity("Reject", follow["id"], "no more"));
    EXPECT_FALSE(follows());
    EXPECT_TRUE(sent(w).empty());
}

TEST_P(Undone, follows_are_accepted_and_refused_by_an_object_of_no_type) {
    auto follow = after(account + "/follow", "Follow");
    const auto named = R"({"id":")" + follow["id"] + "\"}";
    comes(bob.activity("Accept", named, "yes"));
    EXPECT_TRUE(follows());
    comes(bob.activity("Reject", named, "no more"));
    EXPECT_FALSE(follows());
}

TEST_P(Undone, follows_between_two_of_this_site_are_no_business_of_others) {
    Person carol = w.local("carol");
    carol.patch("/api/v1/accounts/update_credentials", {{"locked", "true"}});
    alice.post("/api/v1/accounts/" + carol.id + "/follow");
    carol.post("/api/v1/follow_requests/" + alice.id + "/authorize");
    alice.post("/api/v1/accounts/" + carol.id + "/unfollow");
    EXPECT_TRUE(sent(w).empty());
}

TEST_P(Undone, blocks_favourites_and_boosts_are_named_as_they_were_sent_each_time) {
    auto status = remote::stored(w, remote::note(w, bob.id, "1"));
    sent(w);
    const std::string post = "/api/v1/statuses/" + status;
    struct Row {
        std::string begin, end;
        const char* type;
    };
    for (const auto& row : {
             Row{account + "/block", account + "/unblock", "Block"},
             Row{post + "/favourite", post + "/unfavourite", "Like"},
             Row{post + "/reblog", post + "/unreblog", "Announce"},
         }) {
        auto first = after(row.begin, row.type);
        takes_back(row.end, first);
        auto second = after(row.begin, row.type);
        EXPECT_NE(second["id"], first["id"]) << row.type;
        takes_back(row.end, second);
    }
}

}  // namespace
