// SPDX-License-Identifier: AGPL-3.0-or-later
// What followed hashtags bring into home: all public statuses under them, at once and back to the first.
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct HomeTags : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");

    void follow(const std::string& name) {
        EXPECT_EQ(alice.post("/api/v1/tags/" + name + "/follow").status, 200);
    }
    void unfollow(const std::string& name) { alice.post("/api/v1/tags/" + name + "/unfollow"); }
    std::vector<std::string> all(const std::string& direction, int limit) {
        std::vector<std::string> out;
        auto path = "/api/v1/timelines/home?limit=" + std::to_string(limit);
        bool up = direction == "prev";
        for (auto page = alice.get(up ? path + "&min_id=1" : path); !page.ids().empty();
             page = alice.get(page.link(direction))) {
            auto ids = page.ids();
            out.insert(up ? out.begin() : out.end(), ids.begin(), ids.end());
        }
        return out;
    }
};
ON_EACH_DATABASE(HomeTags);

TEST_P(HomeTags, come_at_once_with_what_was_written_before_and_go_at_once) {
    auto old = carol.status("#water"), other = carol.status("#fire");
    EXPECT_THAT(alice.home(), IsEmpty());
    follow("water");
    auto mine = alice.status("mine"), fresh = carol.status("#Water #fire");
    EXPECT_THAT(alice.home(), ElementsAre(fresh, mine, old));
    w.run_jobs();
    EXPECT_THAT(alice.home(), ElementsAre(fresh, mine, old));
    follow("fire");
    EXPECT_THAT(alice.home(), ElementsAre(fresh, mine, other, old));
    unfollow("water");
    EXPECT_THAT(alice.home(), ElementsAre(fresh, mine, other));
    unfollow("fire");
    EXPECT_THAT(alice.home(), ElementsAre(mine));
}

TEST_P(HomeTags, bring_public_statuses_only_and_answers_too) {
    follow("water");
    for (auto visibility : {"unlisted", "private", "direct"})
        carol.status("@alice #water", {{"visibility", visibility}});
    EXPECT_THAT(alice.home(), IsEmpty());
    auto answer = carol.answers(bob.status("what?"), "#water");
    EXPECT_THAT(alice.home(), ElementsAre(answer));
    w.silence(carol);
    EXPECT_THAT(alice.home(), IsEmpty());
}

TEST_P(HomeTags, stay_behind_blocks_mutes_and_deletion) {
    follow("water");
    auto one = carol.status("#water"), two = bob.status("#water");
    alice.mutes(carol);
    EXPECT_THAT(alice.home(), ElementsAre(two));
    alice.post("/api/v1/accounts/" + carol.id + "/unmute");
    bob.blocks(alice);
    EXPECT_THAT(alice.home(), ElementsAre(one));
    carol.del("/api/v1/statuses/" + one);
    EXPECT_THAT(alice.home(), IsEmpty());
}

TEST_P(HomeTags, show_followed_people_whatever_language_they_are_followed_in) {
    alice.follows(bob, {{"languages[]", "de"}});
    auto english = bob.status("#water", {{"language", "en"}});
    EXPECT_THAT(alice.home(), IsEmpty());
    follow("water");
    EXPECT_THAT(alice.home(), ElementsAre(english));
}

TEST_P(HomeTags, show_an_answer_of_a_followed_one_that_home_would_leave_out) {
    alice.follows(bob);
    w.run_jobs();
    auto answer = bob.answers(carol.status("hm"), "#water");
    EXPECT_THAT(alice.home(), IsEmpty());
    follow("water");
    EXPECT_THAT(alice.home(), ElementsAre(answer));
}

TEST_P(HomeTags, do_not_bring_back_members_of_exclusive_lists) {
    alice.follows(bob);
    auto list = alice.post("/api/v1/lists", {{"title", "t"}, {"exclusive", "true"}}).id();
    alice.post("/api/v1/lists/" + list + "/accounts", {{"account_ids[]", bob.id}});
    follow("water");
    bob.status("#water");
    EXPECT_THAT(alice.home(), IsEmpty());
}

TEST_P(HomeTags, do_not_repeat_what_is_boosted) {
    alice.follows(bob);
    follow("water");
    auto status = carol.status("#water");
    bob.reblogs(status);
    EXPECT_THAT(alice.home(), ElementsAre(status));
    w.run_jobs();
    EXPECT_THAT(alice.home(), ElementsAre(status));
    unfollow("water");
    EXPECT_EQ(alice.home().size(), 1u);
    EXPECT_NE(alice.home()[0], status);
}

TEST_P(HomeTags, page_without_gaps_however_much_stands_under_them) {
    alice.follows(bob);
    std::vector<std::string> expected;
    for (int i = 0; i < 15; ++i) {
        for (int many = 0; many < (i % 3 == 0 ? 9 : 1); ++many) {
            auto id = carol.status(many % 2 ? "#a" : "#b #c");
            if (many == 5) carol.del("/api/v1/statuses/" + id);
            else expected.insert(expected.begin(), id);
        }
        if (i % 5 == 0) expected.insert(expected.begin(), bob.status("between"));
        carol.status("#a", {{"visibility", "unlisted"}});
    }
    for (auto name : {"a", "b", "c", "d"}) follow(name);
    for (bool merged : {false, true}) {
        if (merged) w.run_jobs();
        for (int limit : {1, 2, 7, 40}) {
            EXPECT_EQ(all("next", limit), expected) << limit;
            EXPECT_EQ(all("prev", limit), expected) << limit;
        }
    }
}

TEST_P(HomeTags, lists_and_filters_cost_the_same_queries_for_one_and_for_forty) {
    auto list = alice.post("/api/v1/lists", {{"title", "t"}, {"exclusive", "true"}}).id();
    auto dora = w.local("dora");
    for (const auto& who : {bob, dora}) alice.follows(who);
    alice.post("/api/v1/lists/" + list + "/accounts", {{"account_ids[]", dora.id}});
    alice.post(
        "/api/v2/filters", {{"title", "t"}, {"context[]", "home"}, {"keywords_attributes[][keyword]", "more"}}
    );
    follow("water");
    w.run_jobs();
    carol.status("#water");
    alice.home();
    w.queries();
    EXPECT_EQ(alice.home({{"limit", "1"}}).size(), 1u);
    auto few = w.queries();
    for (int i = 0; i < 60; ++i) (i % 3 == 0 ? carol : i % 3 == 1 ? bob : dora).status("#water more");
    alice.home({{"limit", "40"}});
    w.queries();
    EXPECT_EQ(alice.home({{"limit", "40"}}).size(), 40u);
    EXPECT_EQ(w.queries(), few);
}

}  // namespace
