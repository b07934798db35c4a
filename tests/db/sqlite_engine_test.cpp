// SPDX-License-Identifier: AGPL-3.0-or-later
// What only SQLite's engine does: groups, and a database in memory.
#include "engine_fixture.hpp"

#include <sqlite3.h>

#include <fstream>
#include <set>
#include <thread>

namespace {

using Ids = std::vector<std::int64_t>;

std::atomic<bool> commits_fail = false;

int install_failing_commit(sqlite3* handle, char**, const struct sqlite3_api_routines*) {
    sqlite3_commit_hook(handle, [](void*) { return commits_fail ? 1 : 0; }, nullptr);
    return SQLITE_OK;
}

struct SqliteEngine : EngineFixture {
    // One commit for all that is posted within.
    template <class F>
    void as_one_group(F f) {
        Gate gate;
        auto first = post([&](db::Write&) { gate.pass(); });
        gate.entered.get_future().wait();
        f();
        gate.opened.set_value();
        first.get();
    }
};
INSTANTIATE_TEST_SUITE_P(
    db, SqliteEngine, testing::Values(support::Database::sqlite), support::database_name
);

TEST_P(SqliteEngine, commits_what_waits_as_one_group) {
    start();
    std::vector<Outcome> outcomes;
    as_one_group([&] {
        for (int id = 1; id <= 20; ++id)
            outcomes.push_back(post([id](db::Write& db) { db.run(numbers::insert, id, 0); }));
    });
    for (auto& outcome : outcomes) outcome.get();
    EXPECT_EQ(engine->stats().commits, 2u);
    EXPECT_EQ(engine->stats().groups[4], 1u);  // 16 to 31 changes
    EXPECT_EQ(ids().size(), 20u);
}

TEST_P(SqliteEngine, tells_everybody_when_the_commit_fails) {
    const auto install = reinterpret_cast<void (*)()>(&install_failing_commit);
    sqlite3_auto_extension(install);
    start();
    sqlite3_cancel_auto_extension(install);
    std::vector<Outcome> outcomes;
    as_one_group([&] {
        for (int id = 1; id <= 3; ++id)
            outcomes.push_back(post([id](db::Write& db) {
                db.run(numbers::insert, id, 0);
                db.announce({"user:1", "made", ""});
                commits_fail = true;
                if (id == 2) throw base::Forbidden();
            }));
    });
    EXPECT_THROW(outcomes[0].get(), db::Failure);
    EXPECT_THROW(outcomes[1].get(), base::Forbidden);
    EXPECT_THROW(outcomes[2].get(), db::Failure);
    commits_fail = false;
    EXPECT_TRUE(heard().empty());
    EXPECT_EQ(ids(), Ids{});
    EXPECT_EQ(engine->stats().commits_failed, 1u);

    write([](db::Write& db) { db.run(numbers::insert, 9, 0); });
    EXPECT_EQ(ids(), Ids{9});
}

TEST_P(SqliteEngine, blames_the_change_that_leaves_a_dangling_reference) {
    database.options.prepare = [](db::Connection& connection) {
        connection.script(
            "CREATE TABLE numbers (id INTEGER PRIMARY KEY, n BIGINT NOT NULL, "
            "FOREIGN KEY (n) REFERENCES numbers DEFERRABLE INITIALLY DEFERRED)"
        );
    };
    start();
    std::vector<Outcome> outcomes;
    as_one_group([&] {
        for (int id = 1; id <= 3; ++id)
            outcomes.push_back(post([id](db::Write& db) { db.run(numbers::insert, id, id == 2 ? 99 : id); }));
    });
    EXPECT_NO_THROW(outcomes[0].get());
    EXPECT_THROW(outcomes[1].get(), db::Failure);
    EXPECT_NO_THROW(outcomes[2].get());
    EXPECT_EQ(ids(), (Ids{1, 3}));
}

TEST_P(SqliteEngine, undoes_what_fails_alone) {
    database.options.prepare = [](db::Connection& connection) {
        connection.script(
            "CREATE TABLE numbers (id INTEGER PRIMARY KEY, n BIGINT NOT NULL, "
            "FOREIGN KEY (n) REFERENCES numbers DEFERRABLE INITIALLY DEFERRED)"
        );
    };
    start();
    auto thrown = post([](db::Write& db) {
        db.run(numbers::insert, 1, 1);
        db.announce({"user:1", "made", ""});
        throw base::Forbidden();
    });
    EXPECT_THROW(thrown.get(), base::Forbidden);
    auto dangling = post([](db::Write& db) { db.run(numbers::insert, 2, 99); });
    EXPECT_THROW(dangling.get(), db::Failure);
    write([](db::Write& db) { db.run(numbers::insert, 3, 3); });
    EXPECT_EQ(ids(), Ids{3});
    EXPECT_TRUE(heard().empty());
    EXPECT_EQ(engine->stats().commits_failed, 0u);
}

TEST_P(SqliteEngine, answers_every_read_that_shares_a_snapshot_although_one_throws) {
    database.options.readers = 1;
    start();
    std::promise<void> entered, opened;
    ASSERT_TRUE(engine->read(
        [&](db::Read&) {
            entered.set_value();
            opened.get_future().wait();
        },
        db::newest
    ));
    entered.get_future().wait();
    write([](db::Write& db) { db.run(numbers::insert, 1, 10); });
    std::vector<std::future<std::int64_t>> counts;
    for (int i = 0; i < 6; ++i) {
        auto told = std::make_shared<std::promise<std::int64_t>>();
        counts.push_back(told->get_future());
        ASSERT_TRUE(engine->read(
            [told, i](db::Read& db) {
                told->set_value(db.one(numbers::count));
                if (i % 3 == 1) throw std::runtime_error("a job that throws");
            },
            db::newest
        ));
    }
    opened.set_value();
    for (auto& count : counts) EXPECT_EQ(count.get(), 1);
    write([](db::Write& db) { db.run(numbers::insert, 2, 20); });
    EXPECT_EQ(ids(), (Ids{1, 2}));
}

TEST_P(SqliteEngine, forgets_how_small_a_search_index_was_when_somebody_analysed) {
    database.options.prepare = [](db::Connection& connection) {
        connection.script(numbers::schema);
        connection.script(
            "CREATE VIRTUAL TABLE words USING fts5 (text); INSERT INTO numbers VALUES (1, 1); ANALYZE"
        );
    };
    start();
    engine.reset();
    std::string analysed;
    sqlite3* file = nullptr;
    sqlite3_open(database.options.sqlite_file.c_str(), &file);
    auto note = [](void* into, int, char** values, char**) {
        *static_cast<std::string*>(into) += std::string(values[0]) + " ";
        return 0;
    };
    sqlite3_exec(file, "SELECT DISTINCT tbl FROM sqlite_stat1", note, &analysed, nullptr);
    sqlite3_close(file);
    EXPECT_EQ(analysed, "numbers ");
}

TEST_P(SqliteEngine, can_live_in_memory) {
    database.options.sqlite_file.clear();
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 10); });
    EXPECT_EQ(ids(), Ids{1});
    EXPECT_EQ(read([](db::Read& db) { return db.one(numbers::of, 1); }), 10);
}

TEST_P(SqliteEngine, leaves_one_file_behind) {
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 10); });
    engine->stop();
    EXPECT_FALSE(std::filesystem::exists(database.options.sqlite_file.string() + "-wal"));
}

// The file of the log while changes of about a page each are written, one after the other.
struct LogFile : SqliteEngine {
    std::string name() const { return database.options.sqlite_file.string() + "-wal"; }
    // Another one each time the log begins anew at its start.
    std::string salt() const {
        std::string head(24, '\0');
        std::ifstream(name(), std::ios::binary).read(head.data(), 24);
        return head.substr(16);
    }
    std::uintmax_t bytes() const { return std::filesystem::file_size(name()); }
    void set(int n) {
        write([n](db::Write& db) { db.run(numbers::set, 1, n); });
    }
};
INSTANTIATE_TEST_SUITE_P(db, LogFile, testing::Values(support::Database::sqlite), support::database_name);

TEST_P(LogFile, begins_anew_while_somebody_writes_all_the_time_and_is_never_cut) {
    database.options.checkpoint_every = std::chrono::milliseconds(1);
    database.options.log_pages = 20;
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    std::set<std::string> begun;
    std::uintmax_t largest = 0;
    int written = 0;
    for (; begun.size() < 20 && written < 200'000; ++written) {
        set(written);
        begun.insert(salt());
        ASSERT_GE(bytes(), largest);
        largest = bytes();
    }
    EXPECT_EQ(begun.size(), 20u) << "after " << written;
    EXPECT_EQ(read([](db::Read& db) { return db.one(numbers::of, 1); }), written - 1);
    engine.reset();
    database.options.prepare = {};
    start();
    EXPECT_EQ(read([](db::Read& db) { return db.one(numbers::of, 1); }), written - 1);
}

TEST_P(LogFile, waits_for_a_reader_and_holds_up_nobody_meanwhile) {
    database.options.checkpoint_every = std::chrono::milliseconds(1);
    database.options.log_pages = 20;
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 7); });
    Gate gate;
    std::promise<std::int64_t> seen;
    ASSERT_TRUE(engine->read(
        [&](db::Read& db) {
            db.one(numbers::of, 1);
            gate.pass();
            seen.set_value(db.one(numbers::of, 1));
        },
        db::newest
    ));
    gate.entered.get_future().wait();
    // Once it may begin anew all the same: when all of it was in the database already, the reader reads that alone.
    set(0);
    const auto before = salt();
    for (int n = 0; n < 100; ++n) set(n);
    EXPECT_EQ(salt(), before);
    gate.opened.set_value();
    EXPECT_EQ(seen.get_future().get(), 7);
    for (int n = 0; salt() == before && n < 200'000; ++n) set(n);
    EXPECT_NE(salt(), before);
}

TEST_P(LogFile, is_cut_when_it_is_large_and_nobody_writes) {
    database.options.checkpoint_every = std::chrono::milliseconds(1);
    database.options.idle_log_bytes = 20'000;
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    for (int n = 0; n < 30; ++n) set(n);
    while (bytes() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));  // or for ever
    set(30);
    EXPECT_EQ(read([](db::Read& db) { return db.one(numbers::of, 1); }), 30);
}

TEST_P(SqliteEngine, does_not_start_over_a_file_that_is_no_database) {
    std::ofstream(database.options.sqlite_file) << std::string(5000, 'x');
    engine = db::open_engine(database.options);
    EXPECT_THROW(engine->start(), db::Failure);
}

}  // namespace
