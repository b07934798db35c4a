// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/discovery/suggestion_jobs.hpp"
#include "social/instance/settings.hpp"
#include "support/periodic.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

const db::Command test_suggested_away{
    "test_suggested_away",
    "UPDATE accounts SET domain = 'far.example', url = 'https://far.example/@x', version = version + 1 WHERE "
    "id = $1"
};

namespace {

using testing::ElementsAre, testing::IsEmpty, testing::UnorderedElementsAre;

struct Suggestions : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol"), dora = w.local("dora");

    void SetUp() override {
        for (const auto& who : {bob, carol, dora}) discoverable(who);
    }
    static void discoverable(const Person& who) {
        who.patch("/api/v1/accounts/update_credentials", {{"discoverable", "true"}});
    }
    void compute() {
        support::run_periodic(w, discovery::renew_general_suggestions);
        support::run_periodic(w, discovery::find_due_suggestions);
        w.run_jobs();
        w.happened(), w.changed();
    }
    static std::vector<std::string> suggested(const Person& who) {
        return who.get("/api/v1/suggestions", {{"limit", "80"}}).ids();
    }
    static std::string sources(const Person& me, const Person& other) {
        auto answer = me.get("/api/v2/suggestions", {{"limit", "80"}});
        auto ids = answer.all("account.id");
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (ids[i] == other.id)
                return answer[std::to_string(i) + ".source"] + " " + answer[std::to_string(i) + ".sources"];
        return "";
    }
};
ON_EACH_DATABASE(Suggestions);

TEST_P(Suggestions, are_empty_where_nobody_knows_anybody) {
    compute();
    EXPECT_EQ(alice.get("/api/v2/suggestions").body, "[]");
    auto old = alice.get("/api/v1/suggestions");
    EXPECT_EQ(old.body, "[]");
    EXPECT_EQ(old.header("Deprecation"), "@1621123200");
}

TEST_P(Suggestions, name_the_featured_the_popular_and_the_active) {
    bob.follows(carol);
    dora.favourites(bob.status("hello"));
    w.write([](db::Write& db) {
        instance::set_setting(db, "bootstrap_timeline_accounts", "dora, nobody,@dora");
    });
    compute();
    EXPECT_EQ(sources(alice, carol), R"(global ["most_followed"])");
    EXPECT_EQ(sources(alice, bob), R"(global ["most_interactions"])");
    EXPECT_EQ(sources(alice, dora), R"(staff ["featured"])");
}

TEST_P(Suggestions, name_friends_of_friends_once_they_are_computed) {
    alice.follows(bob);
    bob.follows(carol);
    compute();
    EXPECT_EQ(sources(alice, carol), R"(global ["most_followed","friends_of_friends"])");
}

TEST_P(Suggestions, name_whom_like_minded_people_follow) {
    auto eve = w.local("eve");
    eve.follows(dora);
    eve.follows(bob);
    alice.follows(bob);
    compute();
    EXPECT_THAT(sources(alice, dora), testing::HasSubstr("similar_to_recently_followed"));
}

TEST_P(Suggestions, do_not_tell_hidden_networks) {
    bob.patch("/api/v1/accounts/update_credentials", {{"hide_collections", "true"}});
    alice.follows(bob);
    bob.follows(carol);
    support::run_periodic(w, discovery::find_due_suggestions);
    w.run_jobs();
    EXPECT_EQ(alice.get("/api/v2/suggestions").body, "[]");
}

TEST_P(Suggestions, leave_out_at_once_what_no_longer_suits) {
    auto zoe = w.local("zoe");
    std::vector<Person> all{bob, carol, dora};
    for (auto name : {"eve", "finn", "gina", "hugo"}) {
        all.push_back(w.local(name));
        discoverable(all.back());
    }
    for (const auto& who : all) zoe.follows(who);
    compute();
    EXPECT_EQ(suggested(alice).size(), 7u);
    alice.follows(all[0]);
    alice.blocks(all[1]);
    all[2].blocks(alice);
    alice.mutes(all[3]);
    w.silence(all[4]);
    all[5].patch("/api/v1/accounts/update_credentials", {{"locked", "true"}});
    alice.follows(all[5]);
    EXPECT_THAT(suggested(alice), ElementsAre(all[6].id));
    w.write([&](db::Write& db) { db.run(test_suggested_away, base::AccountId{std::stoll(all[6].id)}); });
    alice.post("/api/v1/domain_blocks", {{"domain", "far.example"}});
    EXPECT_THAT(suggested(alice), IsEmpty());
    EXPECT_THAT(suggested(all[6]).size(), 5u);  // neither limited ones nor oneself
}

TEST_P(Suggestions, can_be_dismissed_for_good) {
    bob.follows(carol);
    compute();
    EXPECT_THAT(suggested(alice), ElementsAre(carol.id));
    EXPECT_EQ(alice.del("/api/v1/suggestions/" + carol.id).body, "{}");
    EXPECT_EQ(alice.del("/api/v1/suggestions/" + carol.id).body, "{}");
    EXPECT_EQ(alice.del("/api/v1/suggestions/99999").body, "{}");
    EXPECT_EQ(w.changed(), "suggestion_dismissals +1");
    compute();
    EXPECT_THAT(suggested(alice), IsEmpty());
    EXPECT_THAT(suggested(dora), ElementsAre(carol.id));
}

TEST_P(Suggestions, keep_their_order_for_a_while_so_that_pages_fit) {
    auto zoe = w.local("zoe");
    std::vector<std::string> expected;
    for (int i = 0; i < 20; ++i) {
        auto who = w.local("p" + std::to_string(i));
        discoverable(who);
        zoe.follows(who);
        expected.push_back(who.id);
    }
    compute();
    std::vector<std::string> paged;
    for (auto offset : {"0", "8", "16"})
        for (const auto& id : alice.get("/api/v1/suggestions", {{"limit", "8"}, {"offset", offset}}).ids())
            paged.push_back(id);
    EXPECT_EQ(paged, suggested(alice));
    EXPECT_NE(paged, expected);
    EXPECT_THAT(paged, testing::UnorderedElementsAreArray(expected));
    EXPECT_NE(suggested(dora), paged);
    w.queries();
    alice.get("/api/v2/suggestions", {{"limit", "1"}});
    auto few = w.queries();
    alice.get("/api/v2/suggestions", {{"limit", "40"}});
    EXPECT_EQ(w.queries(), few);
}

TEST_P(Suggestions, are_computed_again_only_when_something_changed) {
    alice.follows(bob);
    bob.follows(carol);
    compute();
    support::run_periodic(w, discovery::find_due_suggestions);
    EXPECT_EQ(w.happened(), "");
    w.advance(301);
    support::run_periodic(w, discovery::find_due_suggestions);
    EXPECT_EQ(w.happened(), "");
    alice.follows(dora);
    w.happened();
    support::run_periodic(w, discovery::find_due_suggestions);
    EXPECT_EQ(w.happened(), "SuggestionsDue");
    w.run_jobs();
    w.advance(86'401);
    support::run_periodic(w, discovery::find_due_suggestions);
    EXPECT_EQ(w.happened(), "SuggestionsDue, SuggestionsDue");
}

}  // namespace
