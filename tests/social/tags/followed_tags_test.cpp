// SPDX-License-Identifier: AGPL-3.0-or-later
// Tags as a resource, following and featuring them (behaviours: 11.19).
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct FollowedTags : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");

    Answer tag(const Person& who, const std::string& name, const std::string& action = "") {
        return action.empty() ? who.get("/api/v1/tags/" + name) : who.post("/api/v1/tags/" + name + action);
    }
};
ON_EACH_DATABASE(FollowedTags);

TEST_P(FollowedTags, are_shown_even_when_nobody_has_used_them) {
    auto unknown = tag(alice, "Caf%C3%A9");
    EXPECT_EQ(unknown["id"], "");
    EXPECT_EQ(unknown["name"], "cafe");
    EXPECT_EQ(unknown["url"], "http://localhost:3000/tags/cafe");
    EXPECT_EQ(unknown["history.6.uses"], "0");
    EXPECT_EQ(unknown["history.7"], "absent");
    EXPECT_EQ(unknown["following"], "false");
    bob.status("#cafe");
    auto known = tag(w.anonymous(), "cafe");
    EXPECT_NE(known["id"], "");
    EXPECT_EQ(known["history.0.uses"], "1");
    EXPECT_EQ(known["following"], "absent");
    EXPECT_EQ(known["featuring"], "absent");
    EXPECT_TRUE(known.header("Cache-Control").starts_with("max-age=15, public"));
}

// Apps know a link in a text as that of a hashtag by its address, and an address has no letters but those of ASCII.
TEST_P(FollowedTags, have_the_addresses_that_links_to_them_have) {
    auto status = alice.post("/api/v1/statuses", {{"status", "#\u30bf\u30b0"}});
    auto address = "http://localhost:3000/tags/%E3%82%BF%E3%82%B0";
    EXPECT_EQ(status["tags.0.name"], "\u30bf\u30b0");
    EXPECT_EQ(status["tags.0.url"], address);
    EXPECT_NE(status["content"].find('"' + std::string(address) + '"'), std::string::npos);
    EXPECT_EQ(tag(bob, "%E3%82%BF%E3%82%B0")["url"], address);
    auto featured = tag(alice, "%E3%82%BF%E3%82%B0", "/feature");
    EXPECT_EQ(featured["url"], address);
    EXPECT_EQ(
        alice.get("/api/v1/featured_tags")["0.url"], "http://localhost:3000/@alice/tagged/%E3%82%BF%E3%82%B0"
    );
    auto told = w.anonymous().get("/ap/users/" + alice.id + "/collections/tags");
    EXPECT_EQ(told["items.0.href"], "http://localhost:3000/@alice/tagged/%E3%82%BF%E3%82%B0");
}

TEST_P(FollowedTags, have_names_of_the_restricted_form) {
    auto endless = std::string(1001, 'x');
    for (auto name : {endless.c_str(), "12", "a%20b", "a%2Fb", "%23a", "a-b", "%FF", "%00", "_", "a%0A"})
        for (auto action : {"", "/follow", "/unfollow", "/feature", "/unfeature"}) {
            auto answer = tag(alice, name, action);
            EXPECT_EQ(answer.status, 404) << name << action;
            EXPECT_EQ(answer.body, R"({"error":"Not Found"})") << name << action;
        }
    EXPECT_EQ(tag(alice, "a_b").status, 200);
    EXPECT_EQ(w.changed(), "");
}

TEST_P(FollowedTags, are_followed_and_unfollowed_once) {
    auto followed = tag(alice, "Water", "/follow");
    EXPECT_EQ(followed["following"], "true");
    EXPECT_EQ(followed["name"], "water");
    EXPECT_NE(followed["id"], "");
    w.changed();
    EXPECT_EQ(tag(alice, "water", "/follow")["following"], "true");
    EXPECT_EQ(w.changed(), "");
    EXPECT_EQ(tag(bob, "water")["following"], "false");
    EXPECT_EQ(tag(alice, "WATER")["following"], "true");
    EXPECT_EQ(tag(alice, "wAter", "/unfollow")["following"], "false");
    EXPECT_EQ(w.changed(), "tag_follows -1");
    EXPECT_EQ(tag(alice, "water", "/unfollow")["following"], "false");
    EXPECT_EQ(tag(alice, "unheard", "/unfollow")["id"], "");
    EXPECT_EQ(w.changed(), "");
}

TEST_P(FollowedTags, are_listed_in_pages_the_last_followed_first) {
    for (auto name : {"a", "b", "c"}) tag(alice, name, "/follow");
    tag(bob, "d", "/follow");
    EXPECT_THAT(alice.get("/api/v1/followed_tags").all("name"), ElementsAre("c", "b", "a"));
    auto page = alice.get("/api/v1/followed_tags?limit=2");
    EXPECT_THAT(page.all("name"), ElementsAre("c", "b"));
    EXPECT_THAT(page.all("following"), ElementsAre("true", "true"));
    auto rest = alice.get(page.link("next"));
    EXPECT_THAT(rest.all("name"), ElementsAre("a"));
    EXPECT_EQ(rest.link("next"), "");
    EXPECT_NE(page.link("prev").find("since_id="), std::string::npos);
    EXPECT_THAT(alice.get(rest.link("prev")).all("name"), ElementsAre("c", "b"));
    auto up = rest.link("prev");
    up.replace(up.find("since_id"), 8, "min_id");
    EXPECT_THAT(alice.get(up + "&limit=1").all("name"), ElementsAre("b"));
}

TEST_P(FollowedTags, cost_the_same_queries_for_one_and_for_forty) {
    tag(alice, "a", "/follow");
    w.queries();
    alice.get("/api/v1/followed_tags");
    auto few = w.queries();
    for (int i = 0; i < 39; ++i) tag(alice, "t" + std::to_string(i), "/follow");
    w.queries();
    EXPECT_EQ(alice.get("/api/v1/followed_tags").ids().size(), 40u);
    EXPECT_EQ(w.queries(), few);
}

TEST_P(FollowedTags, may_be_featured_up_to_ten) {
    EXPECT_EQ(tag(alice, "water", "/feature")["featuring"], "true");
    w.changed();
    EXPECT_EQ(tag(alice, "Water", "/feature")["featuring"], "true");
    EXPECT_EQ(w.changed(), "");
    EXPECT_EQ(tag(bob, "water")["featuring"], "false");
    for (int i = 0; i < 9; ++i)
        EXPECT_EQ(alice.post("/api/v1/featured_tags", {{"name", "#t" + std::to_string(i)}}).status, 200);
    for (auto answer :
         {tag(alice, "more", "/feature"), alice.post("/api/v1/featured_tags", {{"name", "more"}})}) {
        EXPECT_EQ(answer.status, 422);
        EXPECT_EQ(
            answer.error(), "Validation failed: You have already featured the maximum number of hashtags"
        );
    }
    EXPECT_EQ(tag(alice, "water", "/feature").status, 200);
    EXPECT_EQ(tag(alice, "water", "/unfeature")["featuring"], "false");
    EXPECT_EQ(tag(alice, "water", "/unfeature")["featuring"], "false");
    EXPECT_EQ(alice.get("/api/v1/featured_tags").ids().size(), 9u);
}

TEST_P(FollowedTags, on_a_profile_tell_how_often_their_owner_used_them) {
    alice.status("#rain");
    alice.status("#rain", {{"visibility", "unlisted"}});
    alice.status("#rain", {{"visibility", "private"}});
    bob.status("#rain #Sun");
    w.advance(86'400);
    auto rain = alice.post("/api/v1/featured_tags", {{"name", "#Rain"}});
    EXPECT_EQ(rain["name"], "Rain");
    EXPECT_EQ(rain["url"], "http://localhost:3000/@alice/tagged/rain");
    EXPECT_EQ(rain["statuses_count"], "2");
    EXPECT_EQ(rain["last_status_at"], base::to_string(base::Date{w.now().plus_seconds(-86'400).ms}));
    auto sun = alice.post("/api/v1/featured_tags", {{"name", "sun"}});
    EXPECT_EQ(sun["statuses_count"], "0");
    EXPECT_EQ(sun["last_status_at"], "null");

    std::vector<std::string> made;
    for (int i = 0; i < 3; ++i) made.push_back(alice.status("#sun"));
    alice.status("#sun", {{"visibility", "direct"}});
    auto featured = w.anonymous().get("/api/v1/accounts/" + alice.id + "/featured_tags");
    EXPECT_EQ(featured.body, alice.get("/api/v1/featured_tags").body);
    EXPECT_THAT(featured.all("name"), ElementsAre("sun", "Rain"));
    EXPECT_THAT(featured.all("statuses_count"), ElementsAre("3", "2"));
    EXPECT_EQ(featured["0.last_status_at"], base::to_string(base::Date{w.now().ms}));
    for (const auto& id : made) alice.del("/api/v1/statuses/" + id);
    featured = alice.get("/api/v1/featured_tags");
    EXPECT_THAT(featured.all("statuses_count"), ElementsAre("2", "0"));
    EXPECT_EQ(featured["1.last_status_at"], "null");

    auto edited = alice.status("#rain");
    EXPECT_EQ(alice.put("/api/v1/statuses/" + edited, {{"status", "#sun"}}).status, 200);
    EXPECT_THAT(alice.get("/api/v1/featured_tags").all("statuses_count"), ElementsAre("2", "1"));

    EXPECT_EQ(bob.del("/api/v1/featured_tags/" + sun.id()).status, 404);
    EXPECT_EQ(alice.del("/api/v1/featured_tags/" + sun.id()).body, "{}");
    EXPECT_EQ(alice.del("/api/v1/featured_tags/" + sun.id()).status, 404);
    w.suspend(alice);
    EXPECT_EQ(bob.get("/api/v1/accounts/" + alice.id + "/featured_tags").body, "[]");
}

TEST_P(FollowedTags, are_refused_as_featured_without_a_proper_name) {
    for (const Fields& fields : {Fields{}, {{"name", ""}}}) {
        auto answer = alice.post("/api/v1/featured_tags", fields);
        EXPECT_EQ(answer.status, 400);
        EXPECT_EQ(answer.error(), "param is missing or the value is empty or invalid: name");
    }
    for (auto name : {"#", "a b", "12", "##a"})
        EXPECT_EQ(
            alice.post("/api/v1/featured_tags", {{"name", name}}).error(), "Validation failed: Tag is invalid"
        );
}

TEST_P(FollowedTags, are_suggested_for_featuring_when_used_more_than_once) {
    alice.status("#old");
    alice.status("#old");
    w.advance(366 * 86'400);
    for (int i = 0; i < 3; ++i) alice.status("#often", {{"visibility", "private"}});
    for (int i = 0; i < 2; ++i) alice.status("#twice #featured");
    alice.status("#once");
    bob.status("#bobs");
    bob.status("#bobs");
    tag(alice, "featured", "/feature");
    EXPECT_THAT(alice.get("/api/v1/featured_tags/suggestions").all("name"), ElementsAre("often", "twice"));
    EXPECT_THAT(w.local("carol").get("/api/v1/featured_tags/suggestions").ids(), IsEmpty());
}

struct LimitedTags : testing::TestWithParam<support::Database> {
    World w{GetParam(), {.limits = true}};
};
ON_EACH_DATABASE(LimitedTags);

TEST_P(LimitedTags, share_the_limit_of_follows_and_count_only_new_ones) {
    auto alice = w.local("alice");
    EXPECT_EQ(alice.post("/api/v1/tags/a/follow").header("X-RateLimit-Limit"), "300");
    auto before = alice.post("/api/v1/tags/b/follow").status;
    EXPECT_EQ(before, 200);
    for (int i = 0; i < 398; ++i) {
        if (i == 250) w.advance(600);
        ASSERT_EQ(alice.post("/api/v1/tags/t" + std::to_string(i) + "/follow").status, 200) << i;
    }
    w.advance(600);
    EXPECT_EQ(alice.post("/api/v1/tags/one_more/follow").status, 429);
}

}  // namespace
