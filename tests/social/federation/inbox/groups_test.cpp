// SPDX-License-Identifier: AGPL-3.0-or-later
// Groups announce what happens in them as activities (FEP-1b12): hints about posts that stand on other servers.
#include "base/json.hpp"
#include "social/federation/peer.hpp"
#include "social/federation/remote.hpp"

#include <gmock/gmock.h>

const db::Command test_make_group{
    "test_make_group", "UPDATE accounts SET actor_type = 'Group' WHERE id = $1"
};

namespace {

struct AnnouncingGroups : OnEachWorld {
    Person alice = w.local("alice");
    Peer group = Peer(w, "forum", "forum.example").known();
    Peer bob = Peer(w, "bob", "far.example").known();
    int announced = 0;

    AnnouncingGroups() { remote::follows(w, alice, group.id); }

    // Each test has a post of its own: what is rendered of one is kept from test to test.
    void shows(const std::string& number, const std::string& note) {
        const auto document = R"({"@context":"https://www.w3.org/ns/activitystreams",)" + note.substr(1);
        internet().page(bob.note_id(number), document, "application/activity+json");
    }
    void announces(const std::string& activity) {
        const auto said = group.activity(
            "Announce",
            activity,
            std::to_string(++announced),
            R"(,"to":["https://www.w3.org/ns/activitystreams#Public"])"
        );
        EXPECT_EQ(group.brings(said).status, 202);
        w.run_inbox();
    }
    std::vector<std::string> boosted() { return alice.get("/api/v1/timelines/home").all("reblog.content"); }
};
ON_EACH_DATABASE(AnnouncingGroups);

TEST_P(AnnouncingGroups, pass_on_edits_of_what_they_shared_as_the_author_shows_them) {
    shows("1", bob.note("1", "first"));
    announces(bob.create(bob.note("1", "forged"), "1"));
    EXPECT_EQ(boosted(), std::vector<std::string>{"first"});
    w.advance(60);
    const auto updated = R"(,"updated":)" + base::json::to_string(w.now());
    shows("1", bob.note("1", "second", updated));
    announces(bob.activity("Update", bob.note("1", "forged", updated), "edit"));
    EXPECT_EQ(boosted(), std::vector<std::string>{"second"});
}

TEST_P(AnnouncingGroups, pass_on_the_end_of_what_they_shared) {
    for (const bool tombstone : {false, true}) {
        const auto& id = bob.note_id(tombstone ? "3" : "2");
        const std::string context = R"({"@context":"https://www.w3.org/ns/activitystreams",)";
        const auto note = bob.note(tombstone ? "3" : "2", "hello");
        internet().page(id, context + note.substr(1), "application/activity+json");
        announces(bob.create(note, id));
        EXPECT_EQ(boosted(), std::vector<std::string>{"hello"});
        if (tombstone)
            internet().page(
                id, context + R"("type":"Tombstone","id":")" + id + "\"}", "application/activity+json"
            );
        else internet().pages[id] = [](const base::Fetch&) { return base::Fetched{.status = 410}; };
        announces(bob.activity("Delete", id, "end of " + id));
        EXPECT_TRUE(boosted().empty());
        EXPECT_TRUE(alice.get("/api/v1/accounts/" + remote::text(bob.id) + "/statuses").ids().empty());
    }
}

TEST_P(AnnouncingGroups, of_the_same_server_are_believed_about_what_its_author_deletes) {
    Peer local = Peer(w, "local", "far.example").known(), eve = Peer(w, "eve", "far.example").known();
    remote::follows(w, alice, local.id);
    shows("6", bob.note("6", "hello"));
    announces(bob.create(bob.note("6", "hello"), "6"));
    const auto audience = R"(,"to":["https://www.w3.org/ns/activitystreams#Public"])";
    const auto passes_on = [&](const Peer& author, const std::string& number) {
        const auto end = author.activity("Delete", bob.note_id("6"), "end-" + number);
        EXPECT_EQ(local.brings(local.activity("Announce", end, number, audience)).status, 202);
        w.run_inbox();
        return boosted().size();
    };
    EXPECT_EQ(passes_on(eve, "by-another"), 1u);
    EXPECT_EQ(passes_on(bob, "by-the-author"), 0u);
}

TEST_P(AnnouncingGroups, take_out_what_its_author_keeps) {
    shows("4", bob.note("4", "hello"));
    announces(bob.create(bob.note("4", "hello"), "4"));
    announces(group.activity("Delete", bob.note_id("4"), "removed by a moderator"));
    EXPECT_TRUE(boosted().empty());
    EXPECT_EQ(
        alice.get("/api/v1/accounts/" + remote::text(bob.id) + "/statuses").all("content"),
        std::vector<std::string>{"hello"}
    );
}

TEST_P(AnnouncingGroups, that_nobody_follows_make_nobody_look) {
    remote::follows(w, alice, bob.id);
    EXPECT_EQ(bob.brings(bob.create(bob.note("1", "hello"), "1")).status, 202);
    w.run_inbox();
    Peer other = Peer(w, "other", "other.example").known();
    internet().asked.clear();
    EXPECT_EQ(
        other.brings(other.activity("Announce", bob.activity("Delete", bob.note_id("1"), "2"), "3")).status,
        202
    );
    w.run_inbox();
    EXPECT_TRUE(internet().asked.empty());
}

// It boosts whatever its members bring to it.
TEST_P(AnnouncingGroups, do_not_notify_the_members_they_boost) {
    const auto status = alice.status("for the group");
    const auto boosts = [&](const Peer& who, const std::string& number) {
        const auto boost = who.activity("Announce", uri_of(w, status), number, R"(,"to":"as:Public")");
        EXPECT_EQ(who.brings(boost).status, 202);
        w.run_inbox();
        return alice.get("/api/v1/notifications").all("account.username");
    };
    w.write([&](db::Write& db) { db.run(test_make_group, group.id); });
    EXPECT_THAT(boosts(group, "boost"), testing::IsEmpty());
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status)["reblogs_count"], "1");
    EXPECT_THAT(boosts(bob, "boost"), testing::ElementsAre("bob"));
}

TEST_P(AnnouncingGroups, bring_answers_into_their_thread_and_do_not_boost_them) {
    const auto status = alice.status("a question");
    shows("5", bob.note("5", "an answer", R"(,"inReplyTo":")" + uri_of(w, status) + "\""));
    announces(bob.create(bob.note("5", "an answer"), "5"));
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status + "/context")["descendants.0.content"], "an answer");
    EXPECT_EQ(
        alice.get("/api/v1/timelines/home").all("content"), std::vector<std::string>{"<p>a question</p>"}
    );
}

}  // namespace
