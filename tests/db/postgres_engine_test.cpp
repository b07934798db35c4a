// SPDX-License-Identifier: AGPL-3.0-or-later
// What only PostgreSQL does: other transactions beside ours, servers that go away, replicas.
#include "db/engine.hpp"
#include "engine_fixture.hpp"

#include <thread>

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
        db::read_now(*beside, database.options.context, [&](db::Read& db) { db.one(end_backend, pid); });
    }
    std::int64_t reading_backend() {
        return read([](db::Read& db) { return db.one(backend); });
    }
    // Posts the changes while the writer is busy, so that they become one group.
    std::vector<Outcome> post_together(std::vector<std::function<void(db::Write&)>> changes) {
        Gate gate;
        auto first = post([&](db::Write&) { gate.pass(); });
        gate.entered.get_future().wait();
        std::vector<Outcome> outcomes;
        for (auto& change : changes) outcomes.push_back(post(std::move(change)));
        gate.opened.set_value();
        first.get();
        return outcomes;
    }
    std::int64_t number(int id) {
        return read([id](db::Read& db) { return db.one(numbers::of, id); });
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
    EXPECT_EQ(writing, "read committed");
}

TEST_P(PostgresEngine, adds_up_what_several_nodes_count_at_once) {
    constexpr int nodes = 3, threads_each = 3, rounds = 20;
    start();
    write([](db::Write& db) {
        db.run(numbers::insert, 1, 0);
        db.run(numbers::insert, 2, 0);
    });
    database.options.prepare = {};
    std::vector<std::unique_ptr<db::RunningEngine>> others;
    for (int node = 0; node < nodes; ++node) others.push_back(db::open_engine(database.options));
    for (auto& node : others) node->start();
    std::atomic<int> refused = 0;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < nodes * threads_each; ++t)
            threads.emplace_back([&, t] {
                for (int round = 0; round < rounds; ++round) {
                    auto change = [&](db::Write& db) {
                        db.run(numbers::set, 1, db.one(numbers::of, 1) + 1);
                        db.run(numbers::set, 2, db.one(numbers::of, 2) + 1);
                        if (round % 4 == 3) throw base::Forbidden();
                    };
                    try {
                        db::write_and_wait(*others[static_cast<std::size_t>(t % nodes)], "test", change);
                    } catch (const base::Forbidden&) {
                        ++refused;
                    }
                }
            });
    }
    EXPECT_EQ(refused, nodes * threads_each * rounds / 4);
    EXPECT_EQ(number(1), nodes * threads_each * rounds * 3 / 4);
    EXPECT_EQ(number(2), nodes * threads_each * rounds * 3 / 4);
    for (auto& node : others) {
        EXPECT_EQ(node->stats().retries, 0u);
        EXPECT_EQ(node->stats().commits_failed, 0u);
    }
}

TEST_P(PostgresEngine, commits_what_waits_together) {
    start();
    std::vector<std::function<void(db::Write&)>> changes;
    for (int id = 1; id <= 10; ++id)
        changes.push_back([id](db::Write& db) {
            db.run(numbers::insert, id, 0);
            db.run(numbers::set, id, id);
        });
    for (auto& outcome : post_together(std::move(changes))) outcome.get();
    EXPECT_EQ(engine->stats().commits, 2u);
    EXPECT_EQ(engine->stats().changes, 11u);
    EXPECT_EQ(ids().size(), 10u);
    EXPECT_EQ(number(7), 7);
}

TEST_P(PostgresEngine, undoes_alone_what_fails_in_a_group) {
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    auto inserting = [](int first, int second) {
        return [=](db::Write& db) {
            db.one(numbers::count);
            db.run(numbers::insert, first, 0);
            db.run(numbers::insert, second, 0);
        };
    };
    auto outcomes = post_together({inserting(2, 3), inserting(4, 1), inserting(5, 6)});
    EXPECT_NO_THROW(outcomes[0].get());
    EXPECT_THROW(outcomes[1].get(), db::Duplicate);
    EXPECT_NO_THROW(outcomes[2].get());
    EXPECT_EQ(ids(), (std::vector<std::int64_t>{1, 2, 3, 5, 6}));
}

TEST_P(PostgresEngine, says_what_a_command_changed_to_who_asks) {
    start();
    std::vector<std::int64_t> changed;
    auto change = [&](db::Write& db) {
        db.run(numbers::insert, 1, 0);
        db.run(numbers::insert, 2, 0);
        changed.push_back(db.run(numbers::set, 2, 5));
        changed.push_back(db.run(numbers::set, 3, 5));
        if (db.run(numbers::set, 1, 7) == 1) db.run(numbers::insert, 3, 0);
    };
    write(change);
    EXPECT_EQ(changed, (std::vector<std::int64_t>{1, 0}));
    EXPECT_EQ(ids(), (std::vector<std::int64_t>{1, 2, 3}));
}

TEST_P(PostgresEngine, gives_up_a_group_whose_connection_breaks_and_goes_on) {
    start();
    std::vector<std::function<void(db::Write&)>> changes{
        [](db::Write& db) { db.run(numbers::insert, 1, 0); },
        [&](db::Write& db) { end(db.one(backend)); },
        [](db::Write& db) { db.run(numbers::insert, 2, 0); },
    };
    for (auto& outcome : post_together(std::move(changes))) EXPECT_THROW(outcome.get(), base::Unavailable);
    EXPECT_TRUE(ids().empty());
    write([](db::Write& db) { db.run(numbers::insert, 3, 0); });
    EXPECT_EQ(ids(), std::vector<std::int64_t>{3});
}

TEST_P(PostgresEngine, learns_which_duplicates_are_caught) {
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

TEST_P(PostgresEngine, learns_at_its_start_whether_another_node_is_there) {
    int alone = 0;
    database.options.alone = [&](db::Connection&) { ++alone; };
    start();
    EXPECT_EQ(alone, 1);
    write([](db::Write& db) { db.run(numbers::insert, 1, 10); });
    database.options.prepare = {};
    auto second = db::open_engine(database.options);
    second->start();
    EXPECT_EQ(alone, 1);
    second->stop();
    engine->stop();
    start();
    EXPECT_EQ(alone, 2);
}

TEST_P(PostgresEngine, refuses_columns_that_need_a_cast) {
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    EXPECT_THROW(read([](db::Read& db) { return db.one(sum); }), db::Failure);
    EXPECT_THROW(database.connection()->columns(sum), db::Failure);
}

}  // namespace
