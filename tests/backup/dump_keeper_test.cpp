// SPDX-License-Identifier: AGPL-3.0-or-later
// The copy that one node of many makes of a PostgreSQL database, brought back and compared.
#include <gmock/gmock.h>

#include "backup/dump_copies.hpp"
#include "backup/dump_keeper.hpp"
#include "db/migrate.hpp"
#include "support/database.hpp"

#include <fstream>
#include <thread>

namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using testing::HasSubstr, testing::IsEmpty, testing::SizeIs;

constexpr std::int64_t hour = 3'600'000, day = 24 * hour;

template <class F>
bool soon(F&& f) {
    for (const auto end = std::chrono::steady_clock::now() + 30s; std::chrono::steady_clock::now() < end;
         std::this_thread::sleep_for(5ms))
        if (f()) return true;
    return false;
}

const db::Command put_setting{"test_put_setting", "INSERT INTO settings (name, value) VALUES ($1, $2)"};

struct DumpTurns : support::OnEachMigratedDatabase {
    DumpTurns() {
        connection = database.connection();
        db::migrate(*connection, {database.clock_ms});
    }
    template <class F>
    auto change(F&& f) {
        return db::write_now(*connection, database.options.context, f);
    }
    bool takes(const std::string& node) {
        return change([&](db::Write& db) { return backup::take_turn(db, node, day / 1000); });
    }
    bool keeps(const std::string& node) {
        return change([&](db::Write& db) { return backup::keep_turn(db, node); });
    }
    backup::DumpTurn turn() { return db::read_now(*connection, database.options.context, backup::dump_turn); }

    std::unique_ptr<db::Connection> connection;
};
ON_EACH_DATABASE(DumpTurns);

TEST_P(DumpTurns, are_one_nodes_until_its_time_runs_out) {
    EXPECT_TRUE(takes("a"));
    EXPECT_FALSE(takes("b"));
    database.clock_ms += (backup::dump_lease_seconds - 1) * 1000;
    EXPECT_TRUE(keeps("a"));
    database.clock_ms += (backup::dump_lease_seconds - 1) * 1000;
    EXPECT_FALSE(takes("b"));
    database.clock_ms += 2000;
    EXPECT_TRUE(takes("b"));
    EXPECT_FALSE(keeps("a"));
    change([](db::Write& db) { backup::give_turn_back(db, "a"); });
    EXPECT_FALSE(takes("a")) << "what was not its own any more was given back";
    change([](db::Write& db) { backup::give_turn_back(db, "b"); });
    EXPECT_TRUE(takes("a"));
}

TEST_P(DumpTurns, are_kept_where_clocks_are_a_little_apart_and_not_believed_where_one_was_wrong) {
    database.clock_ms += 1000;
    ASSERT_TRUE(takes("a"));
    database.clock_ms -= 1000;
    EXPECT_FALSE(takes("b")) << "a node whose clock is a second ahead lost its turn";
    database.clock_ms += 2 * hour;
    ASSERT_TRUE(takes("a"));
    database.clock_ms -= 2 * hour;
    EXPECT_TRUE(takes("b"));
}

TEST_P(DumpTurns, are_due_whatever_a_wrong_clock_wrote) {
    const auto start = database.clock_ms.load();
    auto make = [&] {
        change([](db::Write& db) { backup::note_made(db, "a", db.now(), day / 1000); });
        change([](db::Write& db) { backup::give_turn_back(db, "a"); });
    };
    database.clock_ms = start + 1000;
    ASSERT_TRUE(takes("a"));
    make();
    database.clock_ms = start;
    EXPECT_FALSE(takes("a")) << "a second is no wrong clock";
    database.clock_ms = start + 400 * day;
    ASSERT_TRUE(takes("a"));
    make();
    database.clock_ms = start;
    ASSERT_TRUE(takes("a"));
    make();
    EXPECT_EQ(turn().due_at.ms, start + day);
    EXPECT_FALSE(takes("a"));

    database.clock_ms = start + 400 * day;
    ASSERT_TRUE(takes("a"));
    change([](db::Write& db) { backup::note_failed(db, "a", "the disk is full"); });
    database.clock_ms = start + day;
    EXPECT_TRUE(takes("a"));
}

TEST_P(DumpTurns, are_due_sooner_where_a_shorter_time_between_them_is_wanted) {
    ASSERT_TRUE(takes("a"));
    change([](db::Write& db) { backup::note_made(db, "a", db.now(), 30 * day / 1000); });
    change([](db::Write& db) { backup::give_turn_back(db, "a"); });
    database.clock_ms += day;
    EXPECT_TRUE(takes("a"));
}

TEST_P(DumpTurns, come_at_the_same_time_of_day) {
    const auto first = database.clock_ms.load();
    ASSERT_TRUE(takes("a"));
    change([&](db::Write& db) { backup::note_made(db, "a", {first}, day / 1000); });
    EXPECT_EQ(turn().due_at.ms, first + day);
    change([](db::Write& db) { backup::give_turn_back(db, "a"); });
    EXPECT_FALSE(takes("a"));
    database.clock_ms = first + day + 3 * hour;  // it was away then
    ASSERT_TRUE(takes("a"));
    change([&](db::Write& db) { backup::note_made(db, "a", db.now(), day / 1000); });
    EXPECT_EQ(turn().due_at.ms, first + 2 * day);
    change([](db::Write& db) { backup::give_turn_back(db, "a"); });
    database.clock_ms = first + 30 * day + hour;
    ASSERT_TRUE(takes("b"));
    change([&](db::Write& db) { backup::note_made(db, "b", db.now(), day / 1000); });
    EXPECT_EQ(turn().due_at.ms, first + 31 * day);
}

TEST_P(DumpTurns, that_fail_come_again_later_and_later) {
    for (const auto minutes : {15, 30, 60, 120, 240, 360, 360}) {
        ASSERT_TRUE(takes("a"));
        change([](db::Write& db) { backup::note_failed(db, "a", "the disk is full"); });
        database.clock_ms += minutes * 60'000 - 1;
        EXPECT_FALSE(takes("b")) << minutes;
        database.clock_ms += 1;
    }
    EXPECT_EQ(turn().failures, 7);
    EXPECT_EQ(turn().failure, "the disk is full");
    ASSERT_TRUE(takes("b"));
    change([](db::Write& db) { backup::note_made(db, "b", db.now(), 86'400); });
    EXPECT_EQ(turn().failures, 0);
    EXPECT_EQ(turn().failure, "");
}

struct DumpKeeping : support::OnEachMigratedDatabase {
    DumpKeeping() {
        if (!database.is_postgres()) return;
        database.options.prepare = [this](db::Connection& connection) {
            db::migrate(connection, {database.clock_ms});
        };
        folder = fs::temp_directory_path() / support::fresh_name();
        fs::create_directories(folder / "media");
        options.source.media = folder / "media";
        options.source.manifest = {1, "test", "", "postgres", "http://backup.example"};
        target = folder / "kept";
        options.target = backup::folder_target(target);
        options.scratch = folder / "scratch";
        options.known = folder / "known";
        options.keep = backup::parse_keep("1y daily").value();
        options.verify_every = std::chrono::milliseconds(day);
        options.pace = 1ms;
        options.clock = [this] { return database.clock_ms.load(); };
    }
    void SetUp() override {
        if (!database.is_postgres()) GTEST_SKIP() << "SQLite's backup follows its log";
    }
    ~DumpKeeping() override {
        nodes.clear();
        std::error_code ignored;
        if (!folder.empty()) fs::remove_all(folder, ignored);
    }

    struct Node {
        std::unique_ptr<db::RunningEngine> engine;
        std::unique_ptr<backup::DumpKeeper> keeper;
        ~Node() {
            keeper.reset();
            engine.reset();
        }
    };
    Node& start(const std::string& name) {
        auto& node = *nodes.emplace_back(std::make_unique<Node>());
        node.engine = db::open_engine(database.options);
        node.engine->start();
        db::Options copied;
        copied.postgres_url = database.options.postgres_url;
        node.keeper = std::make_unique<backup::DumpKeeper>(options, copied, *node.engine, name);
        node.keeper->start();
        return node;
    }
    void put(Node& node, const std::string& name) {
        db::write_and_wait(*node.engine, "test", [&](db::Write& db) { db.run(put_setting, name, "x"); });
    }
    backup::DumpTurn turn(Node& node) {
        backup::DumpTurn found;
        db::read_and_wait(*node.engine, [&](db::Read& db) { found = backup::dump_turn(db); });
        return found;
    }
    bool made(Node& node, std::int64_t at) {
        return soon([&] { return node.keeper->figures().base >= at; });
    }
    std::vector<std::string> restored_settings() {
        const auto copy = folder / "copy.db";
        fs::remove(copy);
        backup::restore_database(archive(), std::nullopt, copy);
        return db::lines_of(copy, "SELECT name FROM settings WHERE value = 'x' ORDER BY name");
    }
    backup::Archive archive() const { return backup::Archive(target); }

    fs::path folder, target;
    std::size_t bases_at_sweep = 99;
    backup::KeeperOptions options;
    std::vector<std::unique_ptr<Node>> nodes;
};
ON_EACH_DATABASE(DumpKeeping);

TEST_P(DumpKeeping, has_one_of_two_nodes_make_a_copy_a_day) {
    auto& one = start("one");
    auto& other = start("other");
    const auto first = database.clock_ms.load();
    ASSERT_TRUE(made(one, first));
    ASSERT_TRUE(made(other, first)) << "each knows what either did";
    EXPECT_THAT(archive().bases(), SizeIs(1));

    put(other, "written later");
    std::ofstream(folder / "media" / "upload.png") << "picture";
    database.clock_ms = first + day;
    ASSERT_TRUE(made(one, first + day));
    ASSERT_TRUE(made(other, first + day));
    EXPECT_THAT(archive().bases(), SizeIs(2));
    EXPECT_EQ(restored_settings(), std::vector<std::string>{"written later"});
    EXPECT_EQ(backup::read_media_list(archive()).size(), 1u);
    ASSERT_TRUE(soon([&] { return other.keeper->figures().verified == first + day; }));
    EXPECT_TRUE(other.keeper->figures().sound);
    EXPECT_FALSE(other.keeper->figures().away);
    EXPECT_EQ(other.keeper->figures().every, day);

    options.keep = backup::parse_keep("3d daily").value();
    nodes.clear();
    auto& later = start("later");
    database.clock_ms = first + 30 * day;
    ASSERT_TRUE(made(later, first + 30 * day));
    ASSERT_TRUE(soon([&] { return archive().bases().size() == 1; })) << "the old ones were kept";
}

TEST_P(DumpKeeping, tells_of_a_folder_that_is_away_and_goes_on_when_it_is_back) {
    std::ofstream(target) << "no folder";
    auto& node = start("one");
    ASSERT_TRUE(soon([&] { return turn(node).failures == 1; }));
    EXPECT_FALSE(node.keeper->figures().away) << "a single failure may be a restart";
    database.clock_ms += hour;
    ASSERT_TRUE(soon([&] { return node.keeper->figures().away; }));
    EXPECT_EQ(node.keeper->figures().failure, turn(node).failure);
    EXPECT_EQ(node.keeper->figures().base, 0);
    EXPECT_THAT(turn(node).failure, HasSubstr("kept"));
    put(node, "written meanwhile");
    fs::remove(target);
    database.clock_ms += 2 * hour;
    ASSERT_TRUE(soon([&] { return node.keeper->figures().base > 0; }));
    EXPECT_EQ(node.keeper->figures().failure, "");
    EXPECT_FALSE(node.keeper->figures().away);
    EXPECT_EQ(restored_settings(), std::vector<std::string>{"written meanwhile"});

    // Its disk is not mounted: nothing is written beneath.
    fs::rename(target, folder / "disk");
    fs::create_directory(target);
    database.clock_ms += day;
    ASSERT_TRUE(soon([&] { return turn(node).failures == 1; }));
    EXPECT_THAT(turn(node).failure, HasSubstr("mount its disk"));
    EXPECT_TRUE(fs::is_empty(target));
}

TEST_P(DumpKeeping, leaves_the_backup_of_another_server_alone) {
    archive().target().prepare();
    archive().write_manifest({1, "test", "", "postgres", "http://other.example"});
    auto& node = start("one");
    ASSERT_TRUE(soon([&] { return turn(node).failures == 1; }));
    EXPECT_THAT(turn(node).failure, HasSubstr("holds the backup of http://other.example"));
    EXPECT_THAT(archive().bases(), IsEmpty());
}

TEST_P(DumpKeeping, copies_files_before_the_database_too_and_heeds_what_other_nodes_wrote) {
    std::ofstream(folder / "media" / "one.png") << "picture";
    int asked = 0;
    options.unwanted = [&](const std::string& name) {
        if (name == "one.png" && ++asked == 1) bases_at_sweep = archive().bases().size();
        return false;
    };
    const auto first = database.clock_ms.load();
    auto& node = start("one");
    ASSERT_TRUE(made(node, first));
    EXPECT_EQ(bases_at_sweep, 0u) << "a file that was deleted during the copy is lost";

    auto list = backup::read_media_list(archive());
    ASSERT_EQ(list.size(), 1u);
    list["of-another-node.png"] = list["one.png"];
    backup::write_media_list(archive(), list, {});
    database.clock_ms = first + day;
    ASSERT_TRUE(made(node, first + day));
    EXPECT_NE(backup::read_media_list(archive())["of-another-node.png"].gone, 0);
}

TEST_P(DumpKeeping, makes_copies_and_prunes_while_files_cannot_be_copied) {
    options.keep = backup::parse_keep("3d daily").value();
    options.unwanted = [](const std::string&) -> bool { throw std::runtime_error("no such disk"); };
    std::ofstream(folder / "media" / "one.png") << "picture";
    const auto first = database.clock_ms.load();
    auto& node = start("one");
    ASSERT_TRUE(made(node, first));
    database.clock_ms = first + 30 * day;
    ASSERT_TRUE(made(node, first + 30 * day));
    ASSERT_TRUE(soon([&] { return archive().bases().size() == 1; })) << "the old one was kept";
    EXPECT_EQ(turn(node).failures, 0);
    EXPECT_FALSE(node.keeper->figures().away);
    EXPECT_THAT(node.keeper->figures().failure, HasSubstr("uploaded files are not copied: no such disk"));
}

}  // namespace
