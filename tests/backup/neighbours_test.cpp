// SPDX-License-Identifier: AGPL-3.0-or-later
// What a whole copy leaves to those beside it: the log, the processor, the disk, the memory.
#include "backup/neighbours.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>

#include "backup/stage.hpp"

namespace {

using namespace backup_stage;
using testing::Each, testing::IsEmpty, testing::Not, testing::Pair;

struct BackupBeside : Kept {
    BackupBeside() : Kept("beside"), target(folder / "kept") {
        options.clock = [this] { return now() + ahead; };
    }
    ~BackupBeside() override { stop(); }
    std::shared_ptr<backup::Target> place() const override {
        return std::make_shared<Watched>(
            target,
            [this](const std::string& name) {
                if (look) look(name);
            },
            [this](const std::string& name) {
                const std::lock_guard lock(mutex);
                kept.insert(name);
            }
        );
    }

    fs::path log() const { return database.options.sqlite_file.string() + "-wal"; }
    void last_written(std::chrono::hours from_now) const {
        fs::last_write_time(log(), fs::file_time_type::clock::now() + from_now);
    }
    // Whether a checkpoint of what is written now finds somebody who reads what stood there before.
    bool is_held_up() {
        add(++last);
        sqlite3* db = nullptr;
        EXPECT_EQ(sqlite3_open(database.options.sqlite_file.c_str(), &db), SQLITE_OK);
        // Which opens the log.
        sqlite3_exec(db, "SELECT 1 FROM sqlite_schema LIMIT 1", nullptr, nullptr, nullptr);
        const int result =
            sqlite3_wal_checkpoint_v2(db, nullptr, SQLITE_CHECKPOINT_RESTART, nullptr, nullptr);
        sqlite3_close(db);
        EXPECT_TRUE(result == SQLITE_OK || result == SQLITE_BUSY) << result;
        return result == SQLITE_BUSY;
    }

    fs::path target;
    mutable std::mutex mutex;
    mutable std::set<std::string> kept;  // by the disk
    std::int64_t last = 0;
    std::atomic<std::int64_t> ahead = 0;
    Watched::Look look;
};
INSTANTIATE_TEST_SUITE_P(
    db, BackupBeside, testing::Values(support::Database::sqlite), support::database_name
);

// Of ioprio_get(2): not every linux/ioprio.h is C++.
constexpr int of_thread = 1, class_idle = 3;

bool is_block(const std::string& name) { return name.starts_with("blocks/"); }

TEST_P(BackupBeside, brings_the_log_away_however_long_a_block_takes) {
    std::atomic<bool> takes_long = false, brought_meanwhile = false;
    look = [&](const std::string& name) {
        if (!is_block(name) || !takes_long.exchange(false)) return;
        add(2);
        const auto then = options.clock();
        brought_meanwhile = soon([&] { return keeper->figures().log > then; });
    };
    start_with_backup();
    ASSERT_TRUE(has_base());
    const auto first = keeper->figures().base;
    const auto& file = database.options.sqlite_file;
    const auto as_copied = fs::last_write_time(file);
    add(1);
    ASSERT_TRUE(soon([&] { return fs::last_write_time(file) != as_copied; })) << "there is something to copy";
    takes_long = true;
    ahead += options.base_every.count();
    ASSERT_TRUE(soon([&] { return keeper->figures().base > first; }));
    EXPECT_TRUE(brought_meanwhile);
}

TEST_P(BackupBeside, takes_of_processor_and_disk_what_nobody_else_wants_for_a_copy_and_not_for_the_log) {
    std::vector<std::pair<int, int>> of_blocks, of_log;  // priority, class of the disk
    look = [&](const std::string& name) {
        const auto self = static_cast<id_t>(::syscall(SYS_gettid));
        const auto disk = static_cast<int>(::syscall(SYS_ioprio_get, of_thread, self));
        const std::pair mine{::getpriority(PRIO_PROCESS, self), disk >> 13};
        const std::lock_guard lock(mutex);
        (is_block(name) ? of_blocks : of_log).push_back(mine);
    };
    const auto own = ::getpriority(PRIO_PROCESS, 0);
    start_with_backup();
    ASSERT_TRUE(has_base());
    add(1);
    ASSERT_TRUE(brought());
    stop();
    EXPECT_THAT(of_blocks, Not(IsEmpty()));
    EXPECT_THAT(of_blocks, Each(Pair(testing::Gt(own), class_idle)));
    EXPECT_THAT(of_log, Not(IsEmpty()));
    EXPECT_THAT(of_log, Each(Pair(own, Not(class_idle))));
}

// What has gone to the disk and out of memory was written at once; what stands there is written when somebody else waits.
TEST_P(BackupBeside, leaves_no_block_of_a_copy_in_memory) {
    struct statfs facts{};
    ASSERT_EQ(::statfs(folder.c_str(), &facts), 0);
    if (facts.f_type == TMPFS_MAGIC) GTEST_SKIP() << "a file system in memory";
    start_with_backup();
    ASSERT_TRUE(has_base());
    int blocks = 0, gone = 0;
    for (const auto& entry : fs::recursive_directory_iterator(target / "blocks")) {
        if (!entry.is_regular_file() || entry.file_size() == 0) continue;
        const int file = ::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC);
        char byte = 0;
        const iovec into{&byte, 1};
        const auto got = ::preadv2(file, &into, 1, 0, RWF_NOWAIT);
        const int why = errno;
        ::close(file);
        if (got < 0 && why == EOPNOTSUPP) GTEST_SKIP() << "a file system that does not say what is in memory";
        ++blocks;
        if (got < 0 && why == EAGAIN) ++gone;
    }
    EXPECT_GT(blocks, 0);
    EXPECT_GE(gone, blocks / 2);  // the disk may still be at the last ones
}

TEST_P(BackupBeside, leaves_the_disk_to_who_writes) {
    start();
    add(1);
    backup::Neighbours neighbours(database.options.sqlite_file);
    const auto step = [&] {
        std::this_thread::sleep_for(5ms);
        return neighbours.pause(backup::Rests::long_ones);
    };
    last_written(-1h);
    EXPECT_EQ(step(), 0ms);
    EXPECT_EQ(step(), 0ms);
    last_written(1h);
    EXPECT_GT(step(), 0ms);
}

TEST_P(BackupBeside, knows_by_the_time_of_the_log_that_somebody_writes) {
    start();
    add(1);
    last_written(-1h);
    EXPECT_FALSE(backup::Neighbours(database.options.sqlite_file).somebody_writes(30min));
    add(2);
    EXPECT_TRUE(backup::Neighbours(database.options.sqlite_file).somebody_writes(30min));
}

TEST_P(BackupBeside, names_blocks_in_a_copy_once_the_disk_keeps_them) {
    std::set<std::string> kept_then;
    look = [&](const std::string& name) {
        const std::lock_guard lock(mutex);
        if (name.starts_with("base/")) kept_then = kept;
    };
    start();
    add(1);
    const auto base = backup::take_base(archive(), options.source, options.clock());
    EXPECT_THAT(base.blocks, Not(IsEmpty()));
    for (const auto& block : base.blocks)
        EXPECT_TRUE(kept_then.contains(backup::Archive::block(block.sha256)));
}

TEST_P(BackupBeside, is_the_same_place_with_a_slash_at_its_end) {
    start();
    add(1);
    const auto plain = target;
    target /= "";
    EXPECT_EQ(place()->where(), plain.string());
    backup::take_base(archive(), options.source, options.clock());
    EXPECT_THAT(restored(), testing::ElementsAre(1));
    target = plain;
    EXPECT_THAT(restored(), testing::ElementsAre(1));
}

struct InFolder {
    explicit InFolder(const fs::path& folder) { fs::current_path(folder); }
    ~InFolder() { fs::current_path(before); }
    const fs::path before = fs::current_path();
};

TEST_P(BackupBeside, may_be_a_folder_below_the_one_where_the_server_was_started) {
    start();
    add(1);
    const InFolder started_in(folder);
    target = "made/here/";
    backup::take_base(archive(), options.source, options.clock());
    EXPECT_THAT(restored(), testing::ElementsAre(1));
}

TEST_P(BackupBeside, holds_up_the_log_once_all_is_copied_where_somebody_writes) {
    database.options.checkpoint_every = 1h;
    start();
    const auto checkpoint_waits = [&](std::chrono::hours written) {
        EXPECT_FALSE(is_held_up());
        bool waits = false, first = true;
        look = [&](const std::string& name) {
            if (is_block(name) && std::exchange(first, false)) waits = is_held_up();
        };
        last_written(written);
        backup::take_base(archive(), options.source, options.clock());
        EXPECT_FALSE(first) << "there is something to copy";
        return waits;
    };
    EXPECT_TRUE(checkpoint_waits(-1h));
    EXPECT_FALSE(checkpoint_waits(1h));
    EXPECT_THAT(restored(), testing::ElementsAre(1, 2, 3, 4));
}

}  // namespace
