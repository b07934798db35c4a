// SPDX-License-Identifier: AGPL-3.0-or-later
// From one database into another while rows come, change and go.
#include <gmock/gmock.h>

#include <thread>

#include "db/portable/move.hpp"
#include "portable/filled.hpp"

namespace {

using namespace db::portable;
using support::Database, support::TestDatabase;

struct Moves : support::OnEachDatabase {
    static void change(const TestDatabase& database, const std::string& statements) {
        open_store(database.options, db::Mode::write)->run(statements);
    }
    static void change_much(const TestDatabase& database) {
        change(
            database,
            "DELETE FROM favourites WHERE id > 3; INSERT INTO bookmarks (id, account_id, status_id) VALUES "
            "(900, 1, 900);"
            "UPDATE accounts SET note = 'changed' WHERE id < 3; UPDATE accounts SET id = 7000 WHERE id = 5;"
            "INSERT INTO accounts (id, username, created_at) VALUES (6000, 'gone', 1); DELETE FROM accounts "
            "WHERE id = 6000;"
            "UPDATE mentions SET silent = NOT silent; DELETE FROM home_entries;"
            "UPDATE settings SET value = 'new' WHERE name = 'strange'; DELETE FROM settings WHERE name = '';"
            "INSERT INTO settings (name, value) VALUES ('a\tb\n\\', 'x');"
            "INSERT INTO jobs (id, kind, payload, run_at, created_at) VALUES (901, 'index_older', '{}', 0, "
            "0);"
            "INSERT INTO jobs (id, kind, payload, run_at, created_at) VALUES (902, 'mail_welcome', '{}', 0, "
            "0);"
            "UPDATE recipient_sets SET statuses = 77; INSERT INTO status_index_queue (status_id, version) "
            "VALUES (900, 1)"
        );
    }
    static std::vector<std::string> differences(const TestDatabase& a, const TestDatabase& b) {
        std::vector<std::string> tables;
        for (const auto& one : compare(a.options, b.options, {})) tables.push_back(one.here.table);
        return tables;
    }
    static std::vector<std::string> noted_in(const TestDatabase& database) {
        return Changes::kept_in(*open_store(database.options, db::Mode::read));
    }
};
ON_EACH_DATABASE(Moves);

TEST_P(Moves, take_along_what_changes_meanwhile) {
    for (const auto other : support::databases()) {
        const TestDatabase here(GetParam()), there(other);
        filled::fill(here, 6);
        Move move(here.options, there.options, {1000});
        move.copy({});
        change_much(here);
        move.stop_writing();
        const auto moved = move.finish({1000});
        EXPECT_EQ(differences(here, there), std::vector<std::string>{});
        EXPECT_EQ(noted_in(here), std::vector<std::string>{});
        const auto of = [&](const std::string& table) {
            return *std::ranges::find(moved, table, &Moved::table);
        };
        EXPECT_EQ(of("home_entries").rows, 0);
        EXPECT_GT(of("accounts").changed, 3);
        EXPECT_EQ(of("statuses").changed, 0);
    }
}

TEST_P(Moves, that_break_off_leave_the_target_empty_and_the_source_as_it_was) {
    filled::fill(database, 3);
    const auto before = filled::dump_of(database.options);
    const TestDatabase there(GetParam());
    {
        Move move(database.options, there.options, {1000});
        move.copy({});
    }
    EXPECT_EQ(filled::dump_of(database.options), before);
    EXPECT_EQ(noted_in(database), std::vector<std::string>{});
    // As a kill leaves it.
    const auto killed = open_store(database.options, db::Mode::write);
    Changes(*killed, killed->tables()).begin();
    EXPECT_NE(noted_in(database), std::vector<std::string>{});
    Move move(database.options, there.options, {1000});
    move.copy({});
    change(database, "UPDATE accounts SET note = 'new' WHERE id = 1");
    move.stop_writing();
    move.finish({1000});
    EXPECT_EQ(differences(database, there), std::vector<std::string>{});
    EXPECT_EQ(noted_in(database), std::vector<std::string>{});
}

// A statement that reads several tables, or a page that asks for one after the other.
TEST_P(Moves, end_while_somebody_reads_one_table_after_another) {
    if (GetParam() != Database::postgres) GTEST_SKIP() << "SQLite locks no table";
    const TestDatabase there(Database::sqlite);
    filled::fill(database, 3);
    Move move(database.options, there.options, {1000});
    move.copy({});
    move.stop_writing();
    const auto reader = open_store(database.options, db::Mode::read),
               locks = open_store(database.options, db::Mode::read);
    reader->run("BEGIN; SELECT 1 FROM statuses");
    std::jthread ending([&] { move.finish({1000}); });
    const auto waits = [&] {
        return !locks->ask("SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'statuses'::regclass")
                    .empty();
    };
    for (int tries = 0; !waits(); ++tries) {
        ASSERT_LT(tries, 1000);
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    for (const auto& table : locks->tables())
        EXPECT_NO_THROW(reader->run("SELECT 1 FROM " + table.name + " LIMIT 1")) << table.name;
    reader->run("COMMIT");
    ending.join();
    EXPECT_EQ(noted_in(database), std::vector<std::string>{});
    EXPECT_EQ(differences(database, there), std::vector<std::string>{});
}

TEST_P(Moves, go_nowhere_but_into_an_empty_database) {
    filled::fill(database, 2);
    const TestDatabase there(GetParam());
    filled::fill(there, 3);
    const auto before = filled::dump_of(there.options);
    EXPECT_THROW(Move(database.options, there.options, {1000}), NotEmpty);
    EXPECT_THROW(Move(database.options, database.options, {1000}), NotEmpty);
    EXPECT_EQ(noted_in(database), std::vector<std::string>{});
    EXPECT_EQ(filled::dump_of(there.options), before);
}

TEST_P(Moves, are_compared_table_by_table) {
    filled::fill(database, 3);
    const TestDatabase there(GetParam());
    {
        Move move(database.options, there.options, {1000});
        move.copy({});
        move.stop_writing();
        move.finish({1000});
    }
    EXPECT_EQ(differences(database, there), std::vector<std::string>{});
    change(there, "UPDATE accounts SET note = 'other' WHERE id = 2; DELETE FROM follows WHERE id = 1");
    EXPECT_EQ(differences(database, there), (std::vector<std::string>{"accounts", "follows"}));
}

}  // namespace
