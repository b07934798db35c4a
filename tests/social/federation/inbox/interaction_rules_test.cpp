// SPDX-License-Identifier: AGPL-3.0-or-later
// What people of other servers may do with posts of this one is decided as for those who live here.
#include "social/statuses/interactions/interaction_rules.hpp"
#include "social/federation/peer.hpp"
#include "social/federation/remote.hpp"
#include "social/federation/sent.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct FarInteractions : OnEachWorld {
    Person alice = w.local("alice"), carol = w.local("carol");
    Peer bob = Peer(w).known();
    int number = 0;

    void comes(const std::string& body) {
        EXPECT_EQ(bob.brings(body).status, 202);
        w.run_inbox();
        w.run_jobs();
    }
    std::string known(const std::string& name) {
        return w.read([&](db::Read& db) {
            auto id = statuses::find_by_uri(db, bob.note_id(name));
            return id ? std::to_string(id->value) : std::string();
        });
    }
    // The id of the answer here, or empty.
    std::string answers(const std::string& status, const std::string& to = "") {
        auto name = std::to_string(++number);
        auto more = R"(,"inReplyTo":")" + uri_of(w, status) + R"(","tag":[{"type":"Mention","href":")" +
                    uri_of(w, alice) + R"("}])";
        comes(bob.create(
            to.empty() ? bob.note(name, "an answer", more) : bob.note(name, "an answer", more, to), name
        ));
        return known(name);
    }
    void boosts(const std::string& status) {
        comes(bob.activity(
            "Announce", uri_of(w, status), "boost-" + std::to_string(++number), R"(,"to":"as:Public")"
        ));
    }
    Answer shown(const std::string& status) { return alice.get("/api/v1/statuses/" + status); }
    void blocks_bob() { alice.post("/api/v1/accounts/" + std::to_string(bob.id.value) + "/block"); }
    void blocks_server() { alice.post("/api/v1/domain_blocks", {{"domain", "far.example"}}); }
    void follows_alice() {
        comes(bob.follow(uri_of(w, alice)));
        ASSERT_EQ(alice.get("/api/v1/accounts/" + alice.id)["followers_count"], "1");
    }
    void expect_refused(const std::string& status) {
        w.run_jobs();
        sent(w);
        w.happened(), w.changed();
        EXPECT_EQ(answers(status), "");
        boosts(status);
        EXPECT_EQ(w.happened(), "");
        EXPECT_EQ(shown(status)["replies_count"], "0");
        EXPECT_EQ(shown(status)["reblogs_count"], "0");
        EXPECT_THAT(sent_lines(w), IsEmpty());
    }
};
ON_EACH_DATABASE(FarInteractions);

TEST_P(FarInteractions, of_somebody_the_author_blocks_are_refused_as_they_are_here) {
    auto status = alice.status("hello");
    alice.blocks(carol);
    auto here = carol.post("/api/v1/statuses", {{"status", "an answer"}, {"in_reply_to_id", status}});
    EXPECT_EQ(here.status, 404);
    EXPECT_EQ(carol.post("/api/v1/statuses/" + status + "/reblog").status, 404);
    blocks_bob();
    expect_refused(status);
}

TEST_P(FarInteractions, of_somebody_whose_server_the_author_blocks_are_refused) {
    auto status = alice.status("hello");
    blocks_server();
    expect_refused(status);
    comes(bob.like(uri_of(w, status)));
    EXPECT_EQ(shown(status)["favourites_count"], "0");
}

TEST_P(FarInteractions, of_anybody_else_are_taken) {
    auto status = alice.status("hello");
    carol.post("/api/v1/accounts/" + std::to_string(bob.id.value) + "/block");
    carol.post("/api/v1/domain_blocks", {{"domain", "far.example"}});
    w.run_jobs();
    auto answer = answers(status);
    boosts(status);
    EXPECT_EQ(shown(answer)["in_reply_to_id"], status);
    EXPECT_EQ(shown(status)["replies_count"], "1");
    EXPECT_EQ(shown(status)["reblogs_count"], "1");
}

TEST_P(FarInteractions, answers_to_what_their_author_cannot_see_are_kept_but_not_attached) {
    std::vector<std::string> hidden{
        alice.status("for followers", {{"visibility", "private"}}),
        alice.status("@carol psst", {{"visibility", "direct"}}),
        alice.status("for us", {{"local_only", "true"}}),
    };
    for (const auto& status : hidden) {
        auto answer = answers(status);
        ASSERT_NE(answer, "");
        EXPECT_EQ(shown(answer)["in_reply_to_id"], "null");
        EXPECT_EQ(shown(answer)["in_reply_to_account_id"], "null");
        EXPECT_EQ(shown(status)["replies_count"], "0");
        auto context = alice.get("/api/v1/statuses/" + status + "/context");
        EXPECT_EQ(context["descendants.0"], "absent");
        EXPECT_EQ(alice.get("/api/v1/statuses/" + answer + "/context")["ancestors.0"], "absent");
    }
    // Nor is what it names asked for, again and again.
    EXPECT_TRUE(internet().asked.empty());
    EXPECT_EQ(w.run_jobs(), 0);
}

TEST_P(FarInteractions, answers_of_followers_and_the_mentioned_are_attached) {
    auto before = alice.status("for followers", {{"visibility", "private"}});
    follows_alice();
    auto to_alice = "\"" + uri_of(w, alice) + "\"";
    EXPECT_EQ(shown(answers(before, to_alice))["in_reply_to_id"], before);
    auto named = alice.status("@bob@far.example psst", {{"visibility", "direct"}});
    auto answer = answers(named, to_alice);
    EXPECT_EQ(shown(answer)["in_reply_to_id"], named);
    auto context = alice.get("/api/v1/statuses/" + named + "/context");
    EXPECT_EQ(context["descendants.0.id"], answer);
}

TEST_P(FarInteractions, answers_among_people_of_other_servers_are_attached_as_those_say) {
    // Who follows dave there is not known here.
    auto dave = remote::somebody(w, "dave", "other.example");
    remote::follows(w, alice, dave);
    auto parent = remote::note(w, dave, "parent");
    parent.uri = "https://other.example/notes/parent";
    parent.visibility = statuses::Visibility::private_;
    auto above = remote::stored(w, parent);
    auto answer = remote::note(w, bob.id, "answer");
    answer.in_reply_to = parent.uri;
    EXPECT_EQ(shown(remote::stored(w, answer))["in_reply_to_id"], above);
}

TEST_P(FarInteractions, quotes_by_somebody_the_author_blocks_show_nothing_of_what_they_quote) {
    auto status = alice.status("hello");
    blocks_bob();
    w.run_jobs();
    auto note = remote::note(w, bob.id, "quoting");
    note.quote = statuses::RemoteQuote{uri_of(w, status), "", false};
    auto quoting = remote::stored(w, note);
    EXPECT_EQ(carol.get("/api/v1/statuses/" + quoting)["quote"], "null");
    EXPECT_EQ(shown(status)["quotes_count"], "0");
    EXPECT_THAT(alice.get("/api/v1/notifications").ids(), IsEmpty());
}

}  // namespace
