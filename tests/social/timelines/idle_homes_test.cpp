// SPDX-License-Identifier: AGPL-3.0-or-later
// The homes of people who are away take no room, and nobody who comes back notices (docs/decisions/0080).
#include "social/timelines/idle_homes.hpp"

#include "social/accounts/users/user.hpp"
#include "social/federation/remote.hpp"
#include "social/relationships/relationship.hpp"
#include "social/timelines/home.hpp"
#include "support/periodic.hpp"

#include <gmock/gmock.h>

const db::Query<std::int64_t> test_entries_of_home{
    "test_entries_of_home", "SELECT count(*) AS n FROM home_entries WHERE account_id = $1"
};

namespace {

using testing::ElementsAre;

struct IdleHomes : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");

    void SetUp() override {
        w.write([](db::Write& db) { timelines::keep_idle_homes_for(db, 180); });
    }
    std::int64_t entries(const Person& who) {
        w.run_jobs();
        return w.read([&](db::Read& db) { return db.one(test_entries_of_home, remote::number(who)); });
    }
    void pass(std::int64_t days) { w.advance(days * 86'400); }
    void comes(const Person& who) {
        w.write([&](db::Write& db) {
            accounts::record_activity(db, accounts::find_user_of(db, remote::number(who))->id);
        });
    }
    // Until it rests.
    void empty() {
        for (int turns = 0; turns < 100 && support::run_periodic(w, timelines::empty_idle_homes);) ++turns;
        w.run_jobs();
    }
};
ON_EACH_DATABASE(IdleHomes);

TEST_P(IdleHomes, are_emptied_and_complete_again_as_soon_as_their_owner_is_back) {
    alice.follows(bob);
    auto own = alice.status("mine");
    auto first = bob.status("first");
    ASSERT_EQ(entries(alice), 2);
    pass(179);
    empty();
    EXPECT_EQ(entries(alice), 2);
    auto second = bob.status("second");
    comes(bob);
    pass(3);
    empty();
    EXPECT_EQ(entries(alice), 1) << "her own";
    EXPECT_EQ(entries(bob), 2) << "he is here";
    auto third = bob.status("third");
    EXPECT_EQ(entries(alice), 1);

    EXPECT_THAT(alice.home(), ElementsAre(third, second, first, own)) << "before any job";
    w.happened();
    comes(alice);
    EXPECT_EQ(w.happened(), "CameBack");
    EXPECT_EQ(entries(alice), 4);
    auto fourth = bob.status("fourth");
    EXPECT_EQ(entries(alice), 5);
    EXPECT_THAT(alice.home(), ElementsAre(fourth, third, second, first, own));
    pass(1);
    w.happened();
    comes(alice);
    EXPECT_EQ(w.happened(), "") << "she has not been away since";
}

TEST_P(IdleHomes, get_no_entries_by_follows_that_begin_meanwhile) {
    pass(181);
    auto post = bob.status("hello");
    empty();
    w.write([&](db::Write& db) { relationships::follow(db, remote::number(alice), remote::number(bob), {}); }
    );
    EXPECT_EQ(entries(alice), 0);
    EXPECT_THAT(alice.home(), ElementsAre(post));
    comes(alice);
    EXPECT_EQ(entries(alice), 1);
}

TEST_P(IdleHomes, are_not_filled_by_what_waited_since_before) {
    alice.follows(bob);
    auto post = bob.status("hello");
    pass(181);
    empty();
    const auto follow = w.read([&](db::Read& db) {
        return relationships::backfills(db, remote::number(alice)).at(0).follow;
    });
    w.write([&](db::Write& db) { timelines::continue_backfill(db, {follow}); });
    EXPECT_EQ(entries(alice), 0);
    comes(alice);
    EXPECT_EQ(entries(alice), 1);
    EXPECT_THAT(alice.home(), ElementsAre(post));
}

TEST_P(IdleHomes, have_pages_in_both_directions_of_more_people_than_are_asked_at_once) {
    std::vector<std::string> posts;
    for (int n = 0; n < 53; ++n) {
        auto person = w.local("p" + std::to_string(n));
        alice.follows(person);
        posts.insert(posts.begin(), person.status("hello"));
    }
    pass(181);
    empty();
    ASSERT_EQ(entries(alice), 0);
    auto some = [&](int first, int count) {
        return std::vector<std::string>(posts.begin() + first, posts.begin() + first + count);
    };
    EXPECT_EQ(alice.home({{"limit", "40"}}), some(0, 40));
    EXPECT_EQ(alice.home({{"limit", "40"}, {"max_id", posts[39]}}), some(40, 13));
    EXPECT_EQ(alice.home({{"limit", "5"}, {"min_id", posts[50]}}), some(45, 5));
    EXPECT_EQ(alice.home({{"limit", "5"}, {"since_id", posts[50]}}), some(0, 5));
}

TEST_P(IdleHomes, are_left_alone_for_a_while_after_a_take_over) {
    alice.follows(bob);
    bob.status("hello");
    pass(181);
    w.write([](db::Write& db) { timelines::leave_homes_alone(db, 30); });
    pass(29);
    empty();
    EXPECT_EQ(entries(alice), 1);
    pass(2);
    empty();
    EXPECT_EQ(entries(alice), 0);
}

TEST_P(IdleHomes, stay_when_their_owner_comes_back_while_they_are_emptied) {
    alice.follows(bob);
    auto post = bob.status("hello");
    pass(181);
    comes(bob);
    comes(carol);
    w.run_jobs();
    auto change = w.read(timelines::empty_idle_homes);
    ASSERT_TRUE(change);
    comes(alice);
    w.write(change);
    EXPECT_EQ(entries(alice), 1);
    EXPECT_THAT(alice.home(), ElementsAre(post));
}

TEST_P(IdleHomes, stay_where_the_operator_wants_that) {
    alice.follows(bob);
    bob.status("hello");
    ASSERT_EQ(entries(alice), 1);
    w.write([](db::Write& db) { timelines::keep_idle_homes_for(db, 0); });
    pass(1000);
    empty();
    EXPECT_EQ(entries(alice), 1);
    w.write([](db::Write& db) { timelines::keep_idle_homes_for(db, 999); });
    empty();
    EXPECT_EQ(entries(alice), 0);
}

TEST_P(IdleHomes, are_looked_for_once_a_day_or_when_somebody_asks) {
    empty();
    EXPECT_FALSE(support::run_periodic(w, timelines::empty_idle_homes));
    w.write(timelines::begin_with_idle_homes);
    EXPECT_TRUE(support::run_periodic(w, timelines::empty_idle_homes));
    pass(1);
    EXPECT_TRUE(support::run_periodic(w, timelines::empty_idle_homes));
}

}  // namespace
