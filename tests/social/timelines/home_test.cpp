// SPDX-License-Identifier: AGPL-3.0-or-later
// Home is complete back to the first status and right at once, before and after the jobs (docs/decisions/0007).
#include "social/timelines/home.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

const db::Command test_many_statuses{
    "test_many_statuses",
    R"(INSERT INTO statuses (id, account_id, conversation_id, visibility, created_at, text, content)
       SELECT $2 + value * 65536, $1, 1, 'public', 1767000000000, 'old', '<p>old</p>'
       FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < $3) SELECT value FROM n) x)",
    R"(INSERT INTO statuses (id, account_id, conversation_id, visibility, created_at, text, content)
       SELECT $2 + CAST(value AS BIGINT) * 65536, $1, 1, 'public', 1767000000000, 'old', '<p>old</p>' FROM generate_series(1, $3) value)"
};

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct Home : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");

    // Statuses from before the clock began: ids below all that the tests make.
    void old_statuses(const Person& author, int count) {
        constexpr std::int64_t before = (1'767'000'000'000LL) << 16;
        w.write([&](db::Write& db) {
            db.run(test_many_statuses, base::AccountId{std::stoll(author.id)}, before, count);
        });
    }
    std::vector<std::string> all_down(const Person& who, int limit) {
        std::vector<std::string> out;
        auto page = who.get("/api/v1/timelines/home", {{"limit", std::to_string(limit)}});
        while (!page.ids().empty()) {
            for (const auto& id : page.ids()) out.push_back(id);
            page = who.get(page.link("next"));
        }
        return out;
    }
    std::vector<std::string> all_up(const Person& who, int limit) {
        std::vector<std::string> out;
        auto page = who.get("/api/v1/timelines/home", {{"limit", std::to_string(limit)}, {"min_id", "0"}});
        while (!page.ids().empty()) {
            auto ids = page.ids();
            out.insert(out.begin(), ids.begin(), ids.end());
            page = who.get(page.link("prev"));
        }
        return out;
    }
};
ON_EACH_DATABASE(Home);

TEST_P(Home, is_complete_back_to_the_first_of_1200_before_and_after_the_jobs) {
    old_statuses(bob, 1200);
    auto own = alice.status("mine");
    alice.follows(bob);
    auto newest = bob.status("newest");
    auto before = all_down(alice, 40);
    EXPECT_EQ(before.size(), 1202u);
    EXPECT_EQ(before[0], newest);
    EXPECT_EQ(before[1], own);
    EXPECT_TRUE(std::ranges::is_sorted(before, std::greater<>(), [](const std::string& id) {
        return std::stoll(id);
    }));
    EXPECT_EQ(all_up(alice, 40), before);
    EXPECT_EQ(w.run_jobs(), 3);  // 500 at a time
    EXPECT_EQ(all_down(alice, 40), before);
    EXPECT_EQ(all_up(alice, 40), before);
}

TEST_P(Home, writes_the_entries_of_a_new_follow_in_chunks_and_removes_them_again) {
    old_statuses(bob, 1200);
    alice.follows(bob);
    w.changed();
    EXPECT_EQ(w.run_jobs(), 3);
    EXPECT_EQ(w.changed(), "home_entries +1200, jobs -1");
    alice.unfollows(bob);
    EXPECT_THAT(alice.home(), IsEmpty());
    EXPECT_EQ(w.run_jobs(), 3);
    EXPECT_EQ(w.changed(), "follows -1, home_entries -1200, notifications -1");
}

TEST_P(Home, is_filled_from_all_follows_that_came_with_a_take_over) {
    old_statuses(bob, 3);
    w.connection().script(
        "INSERT INTO follows (id, account_id, target_id, created_at, backfill_below) SELECT value, " +
        alice.id + ", CASE WHEN value = 250 THEN " + bob.id + " ELSE -value END, 0, " +
        std::to_string(w.now().ms << 16) +
        " FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 250) "
        "SELECT "
        "value FROM n) x"
    );
    w.changed();
    w.write([](db::Write& db) { db.emit(timelines::BackfillsLeft{}); });
    EXPECT_EQ(w.run_jobs(), 2 + 250) << "two hundred follows at a time";
    EXPECT_EQ(w.changed(), "home_entries +3");
}

TEST_P(Home, is_right_when_unfollowed_and_followed_in_between_the_jobs) {
    old_statuses(bob, 700);
    alice.follows(bob);
    alice.unfollows(bob);
    EXPECT_THAT(alice.home(), IsEmpty());
    alice.follows(bob);
    EXPECT_EQ(all_down(alice, 40).size(), 700u);
    w.run_jobs();
    EXPECT_EQ(all_down(alice, 40).size(), 700u);
    alice.unfollows(bob);
    w.run_jobs();
    alice.follows(bob);
    EXPECT_EQ(all_down(alice, 40).size(), 700u);
}

TEST_P(Home, pages_by_max_since_and_min_id) {
    std::vector<std::string> made;
    for (int i = 0; i < 10; ++i) made.push_back(bob.status(std::to_string(i)));
    alice.follows(bob);
    for (bool merged : {false, true}) {
        if (merged) w.run_jobs();
        EXPECT_THAT(alice.home({{"limit", "2"}}), ElementsAre(made[9], made[8]));
        EXPECT_THAT(alice.home({{"limit", "2"}, {"max_id", made[5]}}), ElementsAre(made[4], made[3]));
        EXPECT_THAT(alice.home({{"limit", "2"}, {"since_id", made[5]}}), ElementsAre(made[9], made[8]));
        EXPECT_THAT(alice.home({{"limit", "2"}, {"min_id", made[5]}}), ElementsAre(made[7], made[6]));
        EXPECT_THAT(
            alice.home({{"limit", "9"}, {"min_id", made[5]}, {"max_id", made[8]}}),
            ElementsAre(made[7], made[6])
        );
        EXPECT_THAT(
            alice.home({{"limit", "9"}, {"since_id", made[5]}, {"max_id", made[8]}}),
            ElementsAre(made[7], made[6])
        );
        EXPECT_THAT(alice.home({{"limit", "0"}}), IsEmpty());
        EXPECT_THAT(alice.home({{"limit", "-3"}}), ElementsAre(made[9], made[8], made[7]));
        EXPECT_EQ(alice.home({{"limit", "1000"}}).size(), 10u);
    }
}

TEST_P(Home, tells_its_neighbours_whenever_it_is_not_empty) {
    auto empty = alice.get("/api/v1/timelines/home");
    EXPECT_EQ(empty.body, "[]");
    EXPECT_EQ(empty.header("Link"), "");
    auto id = alice.status("one");
    auto page = alice.get("/api/v1/timelines/home?limit=7&max_id=999999999999999999&x=y");
    EXPECT_EQ(
        page.header("Link"),
        "<http://localhost:3000/api/v1/timelines/home?limit=7&x=y&max_id=" + id +
            ">; rel=\"next\", <http://localhost:3000/api/v1/timelines/home?limit=7&x=y&min_id=" + id +
            ">; rel=\"prev\""
    );
    EXPECT_EQ(alice.get(page.link("next")).body, "[]");
    EXPECT_EQ(alice.get(page.link("prev")).body, "[]");
}

TEST_P(Home, loses_a_deleted_status_at_once) {
    alice.follows(bob);
    w.run_jobs();
    auto one = bob.status("one"), two = bob.status("two");
    bob.del("/api/v1/statuses/" + one);
    EXPECT_THAT(alice.home(), ElementsAre(two));
    w.run_jobs();
    EXPECT_THAT(alice.home(), ElementsAre(two));
}

TEST_P(Home, loses_the_blocked_and_what_mentions_them_at_once) {
    alice.follows(bob);
    alice.follows(carol);
    auto by_bob = bob.status("hi"), about_bob = carol.status("@bob hi"), other = carol.status("other"),
         boost = carol.reblogs(by_bob);
    EXPECT_EQ(alice.home().size(), 3u);
    alice.blocks(bob);
    EXPECT_THAT(alice.home(), ElementsAre(other));
    w.run_jobs();
    EXPECT_THAT(alice.home(), ElementsAre(other));
}

TEST_P(Home, holds_replies_only_to_people_one_follows_oneself_and_self_replies) {
    alice.follows(bob);
    auto mine = alice.status("mine"), carols = carol.status("carols"), bobs = bob.status("bobs");
    auto to_me = bob.answers(mine, "to me"), to_carol = bob.answers(carols, "to carol"),
         to_self = bob.answers(bobs, "to self");
    for (bool merged : {false, true}) {
        if (merged) w.run_jobs();
        EXPECT_THAT(alice.home(), ElementsAre(to_self, to_me, bobs, mine)) << merged;
    }
    alice.follows(carol);
    EXPECT_THAT(alice.home(), ElementsAre(to_self, to_carol, to_me, bobs, carols, mine));
    alice.unfollows(carol);
    EXPECT_THAT(alice.home(), ElementsAre(to_self, to_me, bobs, mine));
}

TEST_P(Home, holds_the_own_replies_whoever_they_are_to) {
    auto carols = carol.status("carols");
    auto mine = alice.answers(carols, "hello");
    EXPECT_THAT(alice.home(), ElementsAre(mine));
}

TEST_P(Home, shows_a_status_and_its_boosts_once_among_eighty) {
    alice.follows(bob);
    alice.follows(carol);
    auto dora = w.local("dora");
    auto foreign = dora.status("far away");
    auto first = bob.reblogs(foreign);
    carol.reblogs(foreign);
    auto near = bob.status("near");
    carol.reblogs(near);
    EXPECT_THAT(alice.home(), ElementsAre(near, first));
    w.run_jobs();
    EXPECT_THAT(alice.home(), ElementsAre(near, first));
    // When the shown boost is undone, the other takes its place.
    EXPECT_EQ(bob.post("/api/v1/statuses/" + foreign + "/unreblog").status, 200);
    EXPECT_EQ(alice.home().size(), 2u);
}

TEST_P(Home, shows_a_boost_again_beyond_eighty_entries) {
    alice.follows(bob);
    alice.follows(carol);
    auto old = bob.status("old");
    for (int i = 0; i < 79; ++i) bob.status("between");
    carol.reblogs(old);
    EXPECT_EQ(all_down(alice, 40).size(), 80u);  // the 80th before it is the status itself
    carol.post("/api/v1/statuses/" + old + "/unreblog");
    bob.status("one more");
    auto again = carol.reblogs(old);
    auto all = all_down(alice, 40);
    EXPECT_EQ(all.size(), 82u);
    EXPECT_EQ(all[0], again);
    EXPECT_EQ(all_up(alice, 40), all);
}

TEST_P(Home, leaves_out_boosts_where_they_are_not_wanted) {
    auto far = carol.status("far");
    alice.follows(bob, {{"reblogs", "false"}});
    bob.reblogs(far);
    auto own = bob.status("own");
    EXPECT_THAT(alice.home(), ElementsAre(own));
    alice.follows(bob, {{"reblogs", "true"}});
    EXPECT_EQ(alice.home().size(), 2u);
    alice.follows(bob, {{"reblogs", "false"}});
    w.run_jobs();
    EXPECT_THAT(alice.home(), ElementsAre(own));
}

TEST_P(Home, shows_a_boost_although_somebody_muted_or_unread_boosted_before) {
    for (const auto& who : {bob, carol}) alice.follows(who);
    auto dora = w.local("dora");
    auto far = dora.status("far", {{"language", "en"}});
    bob.reblogs(far);
    alice.mutes(bob);
    auto boost = carol.reblogs(far);
    EXPECT_THAT(alice.home(), ElementsAre(boost));
    alice.follows(dora, {{"languages[]", "de"}});
    auto english = dora.status("hello", {{"language", "en"}});
    auto second = carol.reblogs(english);
    EXPECT_THAT(alice.home(), ElementsAre(second, boost));
}

TEST_P(Home, shows_who_quotes_a_muted_person_and_who_names_one_that_blocks_the_reader) {
    alice.follows(bob);
    auto quoted = carol.status("quoted", {{"quote_approval_policy", "public"}});
    alice.mutes(carol);
    auto quote = bob.status("look", {{"quoted_status_id", quoted}});
    bob.status("hello @carol");
    EXPECT_THAT(alice.home(), ElementsAre(quote));
    EXPECT_EQ(alice.get("/api/v1/statuses/" + quote)["quote.state"], "muted_account");
    auto dora = w.local("dora");
    dora.blocks(alice);
    auto named = bob.status("hello @dora");
    EXPECT_THAT(alice.home(), ElementsAre(named, quote));
}

TEST_P(Home, holds_only_the_languages_one_follows) {
    auto german = bob.status("hallo", {{"language", "de"}}),
         french = bob.status("salut", {{"language", "fr"}});
    alice.follows(bob, {{"languages[]", "de"}});
    EXPECT_THAT(alice.home(), ElementsAre(german));
    EXPECT_EQ(alice.post("/api/v1/accounts/" + bob.id + "/follow").status, 200);
    EXPECT_THAT(alice.home(), ElementsAre(german));
    (void)french;
}

TEST_P(Home, costs_the_same_queries_for_one_and_for_forty) {
    alice.follows(bob, {{"languages[]", "en"}});
    auto queries_of = [&](const std::string& limit) {
        w.run_jobs();
        alice.home({{"limit", limit}});  // fills what is kept
        w.queries();
        EXPECT_EQ(alice.home({{"limit", limit}}).size(), std::stoul(limit));
        return w.queries();
    };
    bob.status("@alice #tag");
    auto few = queries_of("1");
    bob.reblogs(carol.status("boosted"));
    auto few_with_boost = queries_of("1");
    for (int i = 0; i < 60; ++i) bob.status("@alice #tag" + std::to_string(i % 7));
    EXPECT_EQ(queries_of("40"), few);
    for (int i = 0; i < 5; ++i) bob.reblogs(carol.status("boosted"));
    EXPECT_EQ(queries_of("40"), few_with_boost);
    EXPECT_LE(few_with_boost, few + 2);  // what boosts show, and whether they repeat it
}

}  // namespace
