// SPDX-License-Identifier: AGPL-3.0-or-later
// Clusters: near copies by several accounts are found without any rule, shown as one row, and dealt with at once.
#include "social/rules/cluster.hpp"
#include "social/rules/stage.hpp"

#include <gmock/gmock.h>

namespace {

using namespace rule_stage;
using testing::IsEmpty, testing::SizeIs, testing::Contains, testing::HasSubstr;
struct Clusters : Rules {
    const std::string clusters = "/api/dunlin/v1/moderation/clusters";
    int number = 0;
    std::string post(int who, int server, const std::string& said) {
        const std::string domain = "s" + std::to_string(server) + ".example";
        auto note = remote::note(
            w, remote::somebody(w, "u" + std::to_string(who), domain), "", "<p>" + said + "</p>"
        );
        note.uri = note.url = "https://" + domain + "/notes/" + std::to_string(++number);
        note.published = w.now();
        auto made = brought(note);
        w.run_jobs();
        return made;
    }
    std::string spam(int i) {
        return post(
            i % 7,
            i % 4,
            "Win a new phone today, number " + std::to_string(i) + " is waiting for you, my friend"
        );
    }
};
ON_EACH_DATABASE(Clusters);

TEST_P(Clusters, are_found_at_the_fifth_of_near_copies_with_those_before_it) {
    for (int i = 0; i < 4; ++i) {
        spam(i);
        post(i, i, "Some words about a walk on day " + std::to_string(i * 11) + " that nobody else takes");
    }
    EXPECT_THAT(owner.get(clusters).ids(), IsEmpty());
    auto fifth = spam(4);
    auto found = owner.get(clusters);
    ASSERT_THAT(found.ids(), SizeIs(1)) << found.body;
    EXPECT_EQ(found["0.posts_count"], "5");
    EXPECT_EQ(found["0.accounts_count"], "5");
    EXPECT_EQ(found["0.servers_count"], "4");
    EXPECT_EQ(found["0.recent_count"], "5");
    EXPECT_EQ(found["0.sample_id"], fifth);
    EXPECT_THAT(found["0.said"], HasSubstr("Win a new phone"));
    for (int i = 5; i < 9; ++i) spam(i);
    auto later = owner.get(clusters + "/" + found["0.id"]);
    EXPECT_EQ(later["posts_count"], "9");
    EXPECT_EQ(later["accounts_count"], "9") << "an account of each server";
    EXPECT_THAT(owner.get(clusters).ids(), SizeIs(1));
}

TEST_P(Clusters, are_none_of_one_account_or_over_many_hours) {
    for (int i = 0; i < 8; ++i) post(1, 1, "The same weather report as each hour, I am sorry to say");
    for (int i = 0; i < 6; ++i) {
        spam(i);
        w.advance(1000);
    }
    EXPECT_THAT(owner.get(clusters).ids(), IsEmpty());
}

TEST_P(Clusters, become_a_rule_that_holds_what_comes_next) {
    for (int i = 0; i < 5; ++i) spam(i);
    auto shown = owner.get(clusters);
    auto begin = shown.body.find("\"rule\":") + 7;
    auto rule = shown.body.substr(begin, shown.body.find(",\"first_at\"") - begin);
    auto id = made(rule);
    EXPECT_EQ(mode(id, "on")["mode"], "on");
    EXPECT_EQ(spam(5), "");
    EXPECT_NE(post(1, 1, "An honest word that has nothing to do with it, my friend"), "");
    EXPECT_THAT(owner.get("/api/dunlin/v1/moderation/held").ids(), SizeIs(1));
}

TEST_P(Clusters, are_dealt_with_at_once) {
    std::vector<std::string> posts;
    for (int i = 0; i < 6; ++i) posts.push_back(spam(i));
    auto id = owner.get(clusters)["0.id"];
    auto act = [&](const std::string& what) {
        return owner.post(clusters + "/" + id + "/act", {{"action", what}});
    };
    EXPECT_EQ(act("").status, 422);
    EXPECT_EQ(act("remove_posts")["acting"], "remove_posts");
    EXPECT_EQ(act("limit").status, 409);
    w.run_jobs();
    for (const auto& post : posts) EXPECT_EQ(alice.get("/api/v1/statuses/" + post).status, 404);
    EXPECT_THAT(owner.get(clusters).ids(), IsEmpty());
    EXPECT_EQ(owner.get(clusters, {{"closed", "true"}})["0.closed_by_id"], owner.id);
    act("limit");
    w.run_jobs();
    auto who = w.read([](db::Read& db) { return *accounts::find_by_acct(db, "u0@s0.example"); });
    EXPECT_EQ(owner.get("/api/v1/admin/accounts/" + remote::text(who.id))["silenced"], "true");
    EXPECT_THAT(logged(w, owner), Contains("act Cluster"));
}

TEST_P(Clusters, are_for_staff_alone_and_forgotten_in_time) {
    for (int i = 0; i < 5; ++i) spam(i);
    EXPECT_EQ(w.with_scopes(alice, staff_scopes).get(clusters).status, 403);
    auto id = owner.get(clusters)["0.id"];
    auto mod = staff(w, "mia", role_with(w, accounts::permission::manage_blocks));
    EXPECT_EQ(mod.post(clusters + "/" + id + "/act", {{"action", "suspend"}}).status, 403);
    EXPECT_EQ(mod.post(clusters + "/" + id + "/act", {{"action", "dismiss"}}).status, 200);
    w.run_jobs();
    EXPECT_THAT(owner.get(clusters).ids(), IsEmpty());
    w.advance(91 * 86'400);
    for (int i = 0; i < 2; ++i) w.write(rules::purge_clusters);
    EXPECT_EQ(owner.get(clusters + "/" + id).status, 404);
}

}  // namespace
