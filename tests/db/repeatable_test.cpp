// SPDX-License-Identifier: AGPL-3.0-or-later
// Which changes wait for the disk: what somebody is answered about does, and all that is committed with it.
#include "db/write_gate.hpp"
#include "engine_fixture.hpp"

#include <gmock/gmock.h>

// 2: each commit waits; 1: none does.
const db::Query<std::int64_t> test_synchronous{
    "test_synchronous", "SELECT synchronous FROM pragma_synchronous()", "SELECT 2"
};

namespace {

using testing::ElementsAre;

constexpr int waits = 2, does_not = 1;

struct RepeatableChanges : EngineFixture {
    int commits_how(bool repeatable) {
        std::int64_t out = 0;
        change(repeatable, [&](db::Write& db) { out = db.one(test_synchronous); }).get();
        return static_cast<int>(out);
    }
    Outcome change(bool repeatable, std::function<void(db::Write&)> what) {
        const db::Repeatable here(repeatable);
        return post(std::move(what));
    }
    int without_waiting() const { return database.is_postgres() ? waits : does_not; }
};
ON_EACH_DATABASE(RepeatableChanges);

TEST_P(RepeatableChanges, do_not_wait_for_the_disk_and_others_do) {
    start();
    EXPECT_EQ(commits_how(false), waits);
    EXPECT_EQ(commits_how(true), without_waiting());
    EXPECT_EQ(commits_how(true), without_waiting());
    EXPECT_EQ(commits_how(false), waits);
}

TEST_P(RepeatableChanges, wait_with_those_they_are_committed_with) {
    if (database.is_postgres()) GTEST_SKIP() << "each is a transaction of its own";
    start();
    Gate gate;
    auto first = change(true, [&](db::Write&) { gate.pass(); });
    gate.entered.get_future().wait();
    std::int64_t repeatable = 0, lasting = 0;
    auto second = change(true, [&](db::Write& db) { repeatable = db.one(test_synchronous); });
    auto third = change(false, [&](db::Write& db) { lasting = db.one(test_synchronous); });
    gate.opened.set_value();
    first.get(), second.get(), third.get();
    EXPECT_EQ(repeatable, waits);
    EXPECT_EQ(lasting, waits);
}

TEST_P(RepeatableChanges, are_seen_at_once) {
    start();
    change(true, [](db::Write& db) { db.run(numbers::insert, 7, 7); }).get();
    EXPECT_THAT(ids(), ElementsAre(7));
}

TEST(Repeatable, holds_as_long_as_it_lives) {
    EXPECT_FALSE(db::Repeatable::here());
    {
        const db::Repeatable outer;
        EXPECT_TRUE(db::Repeatable::here());
        {
            const db::Repeatable inner(false);
            EXPECT_FALSE(db::Repeatable::here());
        }
        EXPECT_TRUE(db::Repeatable::here());
    }
    EXPECT_FALSE(db::Repeatable::here());
}

}  // namespace
