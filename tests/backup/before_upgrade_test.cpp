// SPDX-License-Identifier: AGPL-3.0-or-later
#include "backup/before_upgrade.hpp"

#include "support/database.hpp"

namespace {

namespace fs = std::filesystem;

const db::Query<std::int64_t> rows{"test_rows_before", "SELECT count(*) FROM things"};

struct BeforeUpgrade : testing::Test {
    BeforeUpgrade() {
        auto connection = database.connection();
        connection->script("CREATE TABLE things (id INTEGER PRIMARY KEY); INSERT INTO things VALUES (1), (2)"
        );
    }

    support::TestDatabase database{support::Database::sqlite};
    fs::path file = database.options.sqlite_file, folder = file.parent_path();
};

TEST_F(BeforeUpgrade, has_all_that_was_committed_also_what_still_stands_in_the_log) {
    db::Options options = database.options;
    options.keep_log = true;
    db::open_connection(options, db::Mode::write)->script("INSERT INTO things VALUES (3)");
    ASSERT_TRUE(fs::exists(file.string() + "-wal"));
    const auto kept = backup::keep_before_upgrade(file, "0042_more", 0);
    EXPECT_EQ(kept.copy, folder / "before-0042.db") << kept.why_not;
    EXPECT_EQ(backup::last_before_upgrade(folder), kept.copy);
    database.connection()->script("DROP TABLE things");
    options.sqlite_file = kept.copy;
    auto copy = db::open_connection(options, db::Mode::write);
    EXPECT_EQ(db::read_now(*copy, database.options.context, [](db::Read& db) { return db.one(rows); }), 3);
}

TEST_F(BeforeUpgrade, is_not_made_where_there_is_too_little_room) {
    const auto kept = backup::keep_before_upgrade(file, "0042_more", std::uint64_t{1} << 60);
    if (!kept.copy.empty()) GTEST_SKIP() << "this file system shares blocks, which needs no room";
    EXPECT_EQ(kept.why_not, "there is too little room for one");
    EXPECT_FALSE(fs::exists(folder / "before-0042.db"));
}

TEST_F(BeforeUpgrade, goes_after_a_week) {
    const auto kept = backup::keep_before_upgrade(file, "0042_more", 0);
    const auto written = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::file_clock::to_sys(fs::last_write_time(kept.copy)).time_since_epoch()
    );
    const base::Time then{written.count()};
    backup::forget_old_upgrades(folder, then.plus_seconds(7 * 86'400 - 5));
    EXPECT_TRUE(fs::exists(kept.copy));
    backup::forget_old_upgrades(folder, then.plus_seconds(7 * 86'400 + 5));
    EXPECT_FALSE(fs::exists(kept.copy));
    EXPECT_TRUE(fs::exists(file));
}

}  // namespace
