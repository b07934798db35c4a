// SPDX-License-Identifier: AGPL-3.0-or-later
// Only one server keeps a backup.
#include "backup/stage.hpp"

namespace {

using namespace backup_stage;
using testing::SizeIs;

struct OneKeeper : Kept {
    OneKeeper() : Kept("one-keeper"), target(folder / "kept") { options.target = place(); }
    std::shared_ptr<backup::Target> place() const override { return backup::folder_target(target); }

    fs::path target;
};
INSTANTIATE_TEST_SUITE_P(db, OneKeeper, testing::Values(support::Database::sqlite), support::database_name);

TEST_P(OneKeeper, is_followed_by_the_next_once_it_ends) {
    start_with_backup();
    ASSERT_TRUE(has_base());
    // Restored somewhere to look at it, and started there with the same settings.
    auto aside = options;
    aside.source.database = folder / "aside/dunlin.db";
    fs::create_directories(folder / "aside");
    backup::restore_database(archive(), std::nullopt, aside.source.database);
    auto log = std::make_shared<db::LogFollower>(aside.source.database, 64 << 20);
    aside.target = place();
    auto there = database.options;
    there.sqlite_file = aside.source.database;
    there.follower = log;
    auto beside = db::open_engine(there);
    beside->start();
    testing::internal::CaptureStderr();
    {
        backup::Keeper other(aside, log);
        other.start();
        ASSERT_TRUE(soon([&] { return other.figures().away; }));
        add(1);
        ASSERT_TRUE(brought());
        EXPECT_THAT(archive().bases(), SizeIs(1));
        EXPECT_EQ(other.figures().base, 0);
        EXPECT_EQ(restored(), up_to(1));
        stop();
        EXPECT_TRUE(soon([&] { return other.figures().base > 0; })) << "nobody is left that keeps it";
        beside.reset();
    }
    EXPECT_THAT(
        testing::internal::GetCapturedStderr(),
        testing::HasSubstr("Another server keeps this backup, in " + target.string())
    );
    start_with_backup();
    EXPECT_TRUE(has_base());
}

}  // namespace
