// SPDX-License-Identifier: AGPL-3.0-or-later
// What other servers show to those only for whom it is meant is asked for in the name of one of them.
#include "base/json.hpp"
#include "social/accounts/account.hpp"
#include "social/federation/peer.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

const db::Command test_follow_hidden{
    "test_follow_hidden",
    "INSERT INTO follows (id, account_id, target_id, created_at) VALUES ($1, $2, $3, $4)"
};

struct HiddenFarPosts : OnEachWorld {
    Person alice = w.local("alice"), eve = w.local("eve");
    Peer bob = Peer(w).known();

    void SetUp() override {
        w.run_jobs();
        w.write([&](db::Write& db) {
            auto id = db.new_id<base::FollowId>();
            db.run(test_follow_hidden, id, base::AccountId{std::stoll(alice.id)}, bob.id, db.now());
            accounts::touch_relations(db, {std::stoll(alice.id)});
        });
        w.changed();
    }
    std::string followers() const { return "\"" + bob.uri + "/followers\""; }
    // Shown to requests that this actor signed, and unknown to all others.
    void hidden(const std::string& number, const std::string& reader, const std::string& more = "") {
        auto document = bob.note(number, "hidden " + number, more, followers());
        document.insert(1, R"("@context":"https://www.w3.org/ns/activitystreams",)");
        auto url = bob.note_id(number);
        internet().pages[url] = [=](const base::Fetch& asked) {
            Fetched answer;
            answer.status = 404;
            answer.url = url;
            for (const auto& header : asked.headers)
                if (header.name == "Signature" &&
                    header.value.find("keyId=\"" + reader + "#main-key\"") != std::string::npos)
                    answer.status = 200;
            if (answer.status == 200) answer.body = document;
            answer.headers.push_back({"content-type", "application/activity+json"});
            return answer;
        };
    }
    std::vector<std::string> texts() {
        return alice.get("/api/v1/accounts/" + std::to_string(bob.id.value) + "/statuses").all("content");
    }
    void comes(const std::string& body) {
        EXPECT_EQ(bob.brings(body).status, 202);
        w.run_inbox();
        w.run_jobs();
    }
};
ON_EACH_DATABASE(HiddenFarPosts);

TEST_P(HiddenFarPosts, are_found_by_who_follows_and_by_nobody_else) {
    hidden("1", uri_of(w, alice));
    EXPECT_EQ(eve.get("/api/v2/search", {{"q", bob.note_id("1")}, {"resolve", "true"}})["statuses"], "[]");
    for (const auto& asked : internet().asked)
        for (const auto& header : asked.headers)
            EXPECT_EQ(header.value.find(uri_of(w, eve)), std::string::npos);
    auto shown = alice.get("/api/v2/search", {{"q", bob.note_id("1")}, {"resolve", "true"}});
    EXPECT_EQ(shown["statuses.0.content"], "hidden 1");
    EXPECT_EQ(shown["statuses.0.visibility"], "private");
    EXPECT_EQ(eve.get("/api/v2/search", {{"q", bob.note_id("1")}, {"resolve", "true"}})["statuses"], "[]");
}

TEST_P(HiddenFarPosts, that_are_only_named_are_read_by_a_follower) {
    hidden("1", uri_of(w, alice));
    comes(bob.activity("Create", bob.note_id("1"), "c", R"(,"to":)" + followers()));
    EXPECT_THAT(texts(), ElementsAre("hidden 1"));
}

TEST_P(HiddenFarPosts, that_only_one_may_read_are_read_by_that_one) {
    hidden("1", uri_of(w, eve), R"(,"tag":[{"type":"Mention","href":")" + uri_of(w, eve) + R"("}])");
    comes(bob.activity("Create", bob.note_id("1"), "c", R"(,"to":")" + uri_of(w, eve) + "\""));
    EXPECT_THAT(eve.get("/api/v1/notifications").all("status.content"), ElementsAre("hidden 1"));
}

TEST_P(HiddenFarPosts, that_are_answered_are_read_by_who_reads_the_answer) {
    hidden("1", uri_of(w, alice));
    auto answer = R"(,"inReplyTo":")" + bob.note_id("1") + "\"";
    comes(bob.create(bob.note("2", "an answer", answer, followers()), "c"));
    EXPECT_THAT(texts(), testing::UnorderedElementsAre("hidden 1", "an answer"));
}

// A stranger names the post in the inbox of somebody who is not to read it, and whose server is shown it.
TEST_P(HiddenFarPosts, are_for_nobody_into_whose_inbox_somebody_else_brings_a_hint) {
    hidden("1", uri_of(w, eve));
    auto mallory = Peer(w, "mallory", "evil.example").known();
    auto hint = bob.activity("Create", bob.note_id("1"), "c", R"(,"signature":{"type":"RsaSignature2017"})");
    EXPECT_EQ(mallory.brings(hint, "/users/eve/inbox").status, 202);
    w.run_inbox();
    EXPECT_THAT(texts(), ElementsAre("hidden 1"));
    const auto path = "/api/v1/accounts/" + std::to_string(bob.id.value) + "/statuses";
    EXPECT_EQ(eve.get(path).body, "[]");
    // Its author puts it there for her.
    hidden("2", uri_of(w, eve));
    EXPECT_EQ(bob.brings(bob.activity("Create", bob.note_id("2"), "d"), "/users/eve/inbox").status, 202);
    w.run_inbox();
    EXPECT_THAT(eve.get(path).all("content"), ElementsAre("hidden 2"));
}

TEST_P(HiddenFarPosts, are_asked_for_by_the_server_when_they_are_said_to_be_for_all) {
    hidden("1", uri_of(w, alice));
    comes(bob.activity(
        "Create", bob.note_id("1"), "c", R"(,"to":"https://www.w3.org/ns/activitystreams#Public")"
    ));
    EXPECT_THAT(texts(), IsEmpty());
}

}  // namespace
