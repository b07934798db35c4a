// SPDX-License-Identifier: AGPL-3.0-or-later
// What only PostgreSQL does: other transactions beside ours, servers that go away, replicas.
#include "engine_fixture.hpp"

namespace {

const db::Query<std::int64_t> backend{"test_backend", "", "SELECT pg_backend_pid()"};
const db::Query<bool> end_backend{"test_end_backend", "", "SELECT pg_terminate_backend($1::int)"};
const db::Query<std::int64_t> sum{"test_sum", "", "SELECT sum(id) FROM numbers"};
const db::Query<std::string> isolation{
    "test_isolation", "", "SELECT current_setting('transaction_isolation')"
};
const db::Query<std::string> who{"test_who", "", "SELECT current_setting('application_name')"};

struct PostgresEngine : EngineFixture {
    void end(std::int64_t pid) {
        auto beside = database.connection();
        db::write_now(*beside, database.options.context, [&](db::Write& db) { db.one(end_backend, pid); });
    }
    std::int64_t reading_backend() {
        return read([](db::Read& db) { return db.one(backend); });
    }
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PostgresEngine);
INSTANTIATE_TEST_SUITE_P(
    db, PostgresEngine,
    testing::ValuesIn(
        support::postgres_url() ? std::vector{support::Database::postgres} : std::vector<support::Database>{}
    ),
    support::database_name
);

TEST_P(PostgresEngine, reads_snapshots_and_writes_serially) {
    start();
    EXPECT_EQ(read([](db::Read& db) { return db.one(isolation); }), "repeatable read");
    EXPECT_EQ(read([](db::Read& db) { return db.one(who); }), "dunlin");
    std::string writing;
    write([&](db::Write& db) { writing = db.one(isolation); });
    EXPECT_EQ(writing, "serializable");
}

TEST_P(PostgresEngine, runs_a_change_again_that_lost) {
    database.options.writers = 2;
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    std::atomic<int> runs = 0;
    Gate gate;
    auto loser = post([&](db::Write& db) {
        const auto n = db.one(numbers::of, 1);
        if (++runs == 1) gate.pass();
        db.run(numbers::set, 1, n + 1);
    });
    gate.entered.get_future().wait();
    write([](db::Write& db) { db.run(numbers::set, 1, db.one(numbers::of, 1) + 10); });
    gate.opened.set_value();
    loser.get();
    EXPECT_EQ(runs, 2);
    EXPECT_EQ(engine->stats().retries, 1u);
    EXPECT_EQ(read([](db::Read& db) { return db.one(numbers::of, 1); }), 11);
}

TEST_P(PostgresEngine, learns_which_duplicates_are_caught) {
    database.options.writers = 1;
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    int runs = 0;
    auto insert_or_set = [&](db::Write& db) {
        ++runs;
        try {
            db.run(numbers::insert, 1, 5);
        } catch (const db::Duplicate&) {
            db.run(numbers::set, 1, db.one(numbers::of, 1) + 1);
        }
    };
    write(insert_or_set);
    EXPECT_EQ(runs, 2);
    write(insert_or_set);
    EXPECT_EQ(runs, 3);
    EXPECT_EQ(read([](db::Read& db) { return db.one(numbers::of, 1); }), 2);
}

TEST_P(PostgresEngine, repeats_a_change_that_ends_with_a_caught_duplicate) {
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    write([](db::Write& db) {
        db.run(numbers::insert, 2, 0);
        try {
            db.run(numbers::insert, 1, 0);
        } catch (const db::Duplicate&) {}
    });
    EXPECT_EQ(ids(), (std::vector<std::int64_t>{1, 2}));
}

TEST_P(PostgresEngine, replaces_an_idle_connection_that_was_closed) {
    database.options.readers = 1;
    database.options.writers = 1;
    start();
    end(reading_backend());
    EXPECT_TRUE(ids().empty());
    std::int64_t pid = 0;
    write([&](db::Write& db) { pid = db.one(backend); });
    end(pid);
    write([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    EXPECT_EQ(ids(), std::vector<std::int64_t>{1});
}

TEST_P(PostgresEngine, fails_a_transaction_whose_connection_breaks_and_goes_on) {
    database.options.readers = 1;
    database.options.writers = 1;
    start();
    EXPECT_THROW(
        read([&](db::Read& db) {
            end(db.one(backend));
            return db.one(numbers::count);
        }),
        base::Unavailable
    );
    EXPECT_THROW(
        write([&](db::Write& db) {
            db.run(numbers::insert, 1, 0);
            end(db.one(backend));
            db.run(numbers::insert, 2, 0);
        }),
        base::Unavailable
    );
    EXPECT_THROW(
        write([&](db::Write& db) {
            db.run(numbers::insert, 1, 0);
            end(db.one(backend));
        }),
        base::Unavailable
    );
    EXPECT_TRUE(ids().empty());
    write([](db::Write& db) { db.run(numbers::insert, 3, 0); });
    EXPECT_EQ(ids(), std::vector<std::int64_t>{3});
}

TEST_P(PostgresEngine, answers_unavailable_without_a_server) {
    database.options.postgres_url = "postgres://nobody@/nothing?host=/nowhere";
    database.options.prepare = {};
    start();
    EXPECT_THROW(ids(), base::Unavailable);
    EXPECT_THROW(write([](db::Write& db) { db.run(numbers::insert, 1, 0); }), base::Unavailable);
}

TEST_P(PostgresEngine, asks_the_replica_unless_told_otherwise) {
    database.options.replica_url = database.options.postgres_url + "&application_name=replica";
    start();
    EXPECT_EQ(read([](db::Read& db) { return db.one(who); }, false), "replica");
    EXPECT_EQ(read([](db::Read& db) { return db.one(who); }, true), "dunlin");
}

TEST_P(PostgresEngine, asks_the_primary_while_the_replica_is_away) {
    database.options.replica_url = "postgres://nobody@/nothing?host=/nowhere";
    start();
    EXPECT_EQ(read([](db::Read& db) { return db.one(who); }, false), "dunlin");
}

TEST_P(PostgresEngine, refuses_columns_that_need_a_cast) {
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    EXPECT_THROW(read([](db::Read& db) { return db.one(sum); }), db::Failure);
    EXPECT_THROW(database.connection()->columns(sum), db::Failure);
}

}  // namespace
