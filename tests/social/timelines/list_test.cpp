// SPDX-License-Identifier: AGPL-3.0-or-later
// The timeline of a list, and what an exclusive list takes out of home.
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct ListTimeline : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");
    std::string list = alice.post("/api/v1/lists", {{"title", "friends"}}).id();

    void add(const Person& who) {
        alice.follows(who);
        auto answer = alice.post("/api/v1/lists/" + list + "/accounts", {{"account_ids[]", who.id}});
        EXPECT_EQ(answer.status, 200) << answer.body;
    }
    void set(const Fields& fields) { alice.put("/api/v1/lists/" + list, fields); }
    std::vector<std::string> seen(const Fields& fields = {}) {
        return alice.get("/api/v1/timelines/list/" + list, fields).ids();
    }
};
ON_EACH_DATABASE(ListTimeline);

TEST_P(ListTimeline, holds_what_members_write_and_boost_back_to_the_first) {
    auto old = bob.status("old");
    EXPECT_THAT(seen(), IsEmpty());
    add(bob);
    auto own = bob.status("private", {{"visibility", "private"}});
    auto others = carol.status("carols");
    bob.status("direct", {{"visibility", "direct"}});
    auto boost = bob.reblogs(others);
    EXPECT_THAT(seen(), ElementsAre(boost, own, old));
    alice.del("/api/v1/lists/" + list + "/accounts", {{"account_ids[]", bob.id}});
    EXPECT_THAT(seen(), IsEmpty());
}

TEST_P(ListTimeline, pages_through_all_members_in_both_directions) {
    std::vector<Person> friends;
    for (int i = 0; i < 7; ++i) add(friends.emplace_back(w.local("friend" + std::to_string(i))));
    std::vector<std::string> made;
    for (std::size_t i = 0; i < 90; ++i) {
        auto& author = i % 3 == 0 ? friends[0] : friends[i * i % 7];
        auto id = author.status(std::to_string(i));
        if (i % 10 == 9) author.del("/api/v1/statuses/" + id);
        else made.insert(made.begin(), id);
    }
    for (int limit : {1, 3, 40}) {
        std::vector<std::string> down, up;
        auto path = "/api/v1/timelines/list/" + list + "?limit=" + std::to_string(limit);
        for (auto page = alice.get(path); !page.ids().empty(); page = alice.get(page.link("next")))
            for (const auto& id : page.ids()) down.push_back(id);
        EXPECT_EQ(down, made) << limit;
        for (auto page = alice.get(path + "&min_id=1"); !page.ids().empty();
             page = alice.get(page.link("prev"))) {
            auto ids = page.ids();
            up.insert(up.begin(), ids.begin(), ids.end());
        }
        EXPECT_EQ(up, made) << limit;
    }
    EXPECT_THAT(seen({{"limit", "2"}, {"since_id", made[5]}}), ElementsAre(made[0], made[1]));
    EXPECT_THAT(seen({{"limit", "2"}, {"min_id", made[5]}}), ElementsAre(made[3], made[4]));
}

TEST_P(ListTimeline, shows_answers_as_its_policy_says) {
    auto dora = w.local("dora");
    add(bob);
    add(carol);
    auto erin = w.local("erin");
    alice.follows(erin);
    auto by_carol = carol.status("c"), by_dora = dora.status("d"), by_erin = erin.status("e"),
         by_bob = bob.status("b"), by_alice = alice.status("a");
    auto to_carol = bob.answers(by_carol, "1"), to_dora = bob.answers(by_dora, "2"),
         to_erin = bob.answers(by_erin, "3"), to_self = bob.answers(by_bob, "4"),
         to_alice = bob.answers(by_alice, "5");
    EXPECT_THAT(seen(), ElementsAre(to_alice, to_self, to_carol, by_bob, by_carol));
    set({{"replies_policy", "followed"}});
    EXPECT_THAT(seen(), ElementsAre(to_alice, to_self, to_erin, to_carol, by_bob, by_carol));
    set({{"replies_policy", "none"}});
    EXPECT_THAT(seen(), ElementsAre(to_alice, to_self, by_bob, by_carol));
}

TEST_P(ListTimeline, leaves_out_boosts_repeats_and_people_as_home_does) {
    add(bob);
    add(carol);
    auto far = w.local("dora").status("far");
    auto first = bob.reblogs(far);
    carol.reblogs(far);
    EXPECT_THAT(seen(), ElementsAre(first));
    alice.follows(bob, {{"reblogs", "false"}});
    EXPECT_EQ(seen().size(), 1u);  // carol's
    auto muted = carol.status("muted");
    alice.mutes(carol);
    EXPECT_THAT(seen(), IsEmpty());
}

TEST_P(ListTimeline, leaves_private_mentions_to_home_and_conversations) {
    add(bob);
    bob.status("hello @alice", {{"visibility", "direct"}});
    auto open = bob.status("hello @alice");
    EXPECT_THAT(seen(), ElementsAre(open));
    EXPECT_EQ(alice.home().size(), 2u);
}

TEST_P(ListTimeline, holds_nothing_of_whom_one_only_asked_to_follow) {
    bob.patch("/api/v1/accounts/update_credentials", {{"locked", "true"}});
    auto status = bob.status("public");
    add(bob);
    EXPECT_THAT(seen(), IsEmpty());
    bob.post("/api/v1/follow_requests/" + alice.id + "/authorize");
    EXPECT_THAT(seen(), ElementsAre(status));
}

TEST_P(ListTimeline, tells_its_neighbours_and_costs_the_same_queries_for_one_and_for_forty) {
    add(bob);
    add(carol);
    bob.status("one");
    seen();
    w.queries();
    auto page = alice.get("/api/v1/timelines/list/" + list);
    auto few = w.queries();
    EXPECT_NE(page.link("next"), "");
    EXPECT_NE(page.link("prev"), "");
    for (int i = 0; i < 50; ++i) (i % 2 ? bob : carol).status("more");
    seen({{"limit", "40"}});
    w.queries();
    EXPECT_EQ(seen({{"limit", "40"}}).size(), 40u);
    EXPECT_EQ(w.queries(), few);
}

TEST_P(ListTimeline, when_exclusive_is_instead_of_home) {
    add(bob);
    alice.follows(carol);
    auto bobs = bob.status("bobs"), carols = carol.status("carols"), boost = carol.reblogs(bobs);
    auto own = alice.status("mine");
    EXPECT_THAT(alice.home(), ElementsAre(own, carols, bobs));
    set({{"exclusive", "true"}});
    EXPECT_THAT(alice.home(), ElementsAre(own, boost, carols));
    EXPECT_THAT(seen(), ElementsAre(bobs));
    w.run_jobs();
    EXPECT_THAT(alice.home(), ElementsAre(own, boost, carols));
    alice.post("/api/v1/lists/" + list + "/accounts", {{"account_ids[]", alice.id}});
    EXPECT_THAT(alice.home(), ElementsAre(own, boost, carols));
    alice.del("/api/v1/lists/" + list + "/accounts", {{"account_ids[]", bob.id}});
    EXPECT_THAT(alice.home(), ElementsAre(own, carols, bobs));
    add(bob);
    EXPECT_THAT(alice.home(), ElementsAre(own, boost, carols));
    alice.del("/api/v1/lists/" + list);
    EXPECT_THAT(alice.home(), ElementsAre(own, carols, bobs));
}

TEST_P(ListTimeline, when_exclusive_leaves_full_pages_of_home) {
    add(bob);
    alice.follows(carol);
    set({{"exclusive", "true"}});
    std::vector<std::string> expected;
    for (int i = 0; i < 60; ++i) {
        if (i % 4) bob.status("many");
        else expected.insert(expected.begin(), carol.status("few"));
    }
    EXPECT_EQ(alice.home({{"limit", "40"}}), expected);
    expected.resize(10);
    EXPECT_EQ(alice.home({{"limit", "10"}}), expected);
}

}  // namespace
