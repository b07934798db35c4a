// SPDX-License-Identifier: AGPL-3.0-or-later
// Hashtags on profiles, between servers.
#include "social/federation/peer.hpp"
#include "social/federation/remote.hpp"
#include "social/federation/sent.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct FarFeaturedTags : OnEachWorld {
    Person alice = w.local("alice");
    Person program = w.anonymous().with("Accept", "application/activity+json");
    Peer bob = Peer(w).known();

    void comes(const std::string& body) {
        EXPECT_EQ(bob.brings(body).status, 202);
        w.run_inbox();
    }
};
ON_EACH_DATABASE(FarFeaturedTags);

TEST_P(FarFeaturedTags, are_told_to_followers_when_they_come_and_go_and_listed_meanwhile) {
    comes(bob.follow(uri_of(w, alice)));
    sent(w);
    auto uri = uri_of(w, alice);
    auto id = alice.post("/api/v1/featured_tags", {{"name", "Birds"}}).id();
    auto told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].line(), "Add far.example/users/bob/inbox");
    EXPECT_EQ(told[0]["actor"], uri);
    EXPECT_EQ(told[0]["object.type"], "Hashtag");
    EXPECT_EQ(told[0]["object.name"], "#Birds");
    EXPECT_EQ(told[0]["object.href"], w.site().public_url + "/@alice/tagged/birds");
    EXPECT_EQ(told[0]["target"], uri + "/collections/featured");
    auto listed = program.get("/ap/users/" + alice.id + "/collections/tags");
    EXPECT_EQ(listed["totalItems"], "1");
    EXPECT_EQ(listed["items.0.name"], "#Birds");
    EXPECT_EQ(listed["items.0.href"], told[0]["object.href"]);
    alice.post("/api/v1/featured_tags", {{"name", "birds"}});  // featured already
    EXPECT_THAT(sent_lines(w), IsEmpty());
    EXPECT_EQ(alice.del("/api/v1/featured_tags/" + id).status, 200);
    told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].line(), "Remove far.example/users/bob/inbox");
    EXPECT_EQ(told[0]["object.name"], "#Birds");
    EXPECT_EQ(program.get("/ap/users/" + alice.id + "/collections/tags")["totalItems"], "0");
    alice.post("/api/v1/tags/birds/feature");
    alice.post("/api/v1/tags/birds/unfeature");
    alice.post("/api/v1/tags/birds/unfeature");
    EXPECT_THAT(
        sent_lines(w), ElementsAre("Add far.example/users/bob/inbox", "Remove far.example/users/bob/inbox")
    );
}

TEST_P(FarFeaturedTags, of_whom_nobody_elsewhere_follows_are_told_to_nobody) {
    alice.post("/api/v1/tags/birds/feature");
    EXPECT_THAT(sent_lines(w), IsEmpty());
}

TEST_P(FarFeaturedTags, of_others_change_nothing_here) {
    w.run_jobs();
    w.happened(), w.changed();
    auto target = R"(,"target":")" + bob.uri + "/featured\"";
    auto tag = [](const std::string& more) {
        return R"({"type":"Hashtag","name":"#birds","href":"https://far.example/tags/birds")" + more + "}";
    };
    for (auto type : {"Add", "Remove"})
        for (const auto& more : {std::string(), std::string(R"(,"id":"https://far.example/tags/birds")")}) {
            auto activity = bob.activity(type, "x", std::string(type) + (more.empty() ? "1" : "2"), target);
            auto at = activity.find("\"x\"");
            ASSERT_NE(at, activity.npos) << activity;
            comes(activity.replace(at, 3, tag(more)));
        }
    EXPECT_EQ(w.happened(), "");
    auto changed = w.changed();
    EXPECT_EQ(changed.find("tags"), std::string::npos) << changed;
    EXPECT_EQ(changed.find("statuses"), std::string::npos) << changed;
}

}  // namespace
