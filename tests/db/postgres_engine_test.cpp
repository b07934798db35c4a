// SPDX-License-Identifier: AGPL-3.0-or-later
// What only PostgreSQL does: other transactions beside ours, servers that go away.
#include "db/engine.hpp"
#include "db/lock.hpp"
#include "engine_fixture.hpp"

#include <latch>
#include <thread>

namespace {

const db::Query<std::int64_t> backend{"test_backend", "", "SELECT pg_backend_pid()"};
const db::Query<bool> end_backend{"test_end_backend", "", "SELECT pg_terminate_backend($1::int)"};
const db::Query<std::int64_t> sum{"test_sum", "", "SELECT sum(id) FROM numbers"};
const db::Query<std::string> isolation{
    "test_isolation", "", "SELECT current_setting('transaction_isolation')"
};
const db::Command add{"test_add", "UPDATE numbers SET n = n + $2 WHERE id = $1"};
const db::Query<std::int64_t> sum_of_numbers{
    "test_sum_of_numbers", "", "SELECT CAST(sum(n) AS BIGINT) FROM numbers"
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

// Each waits within its transaction for the others.
TEST_P(PostgresEngine, runs_changes_side_by_side_that_say_so) {
    start();
    std::latch all_there(3);
    std::vector<Outcome> outcomes;
    for (int id = 1; id <= 3; ++id)
        outcomes.push_back(post([&, id](db::Write& db) {
            db.beside_others();
            db.run(numbers::insert, id, 0);
            db.one(numbers::count);
            all_there.arrive_and_wait();
        }));
    for (auto& outcome : outcomes) outcome.get();
    EXPECT_EQ(ids(), (std::vector<std::int64_t>{1, 2, 3}));
    EXPECT_EQ(engine->stats().alone, 0u);
}

// The first keeps the writer busy until all others wait.
TEST_P(PostgresEngine, makes_those_in_one_transaction_that_may_be_together) {
    constexpr int many = 5;
    start();
    Gate all_wait;
    const auto before = engine->stats().commits;
    std::vector<Outcome> outcomes;
    for (int id = 0; id <= many; ++id) {
        outcomes.push_back(post_together([&, id](db::Write& db) {
            db.beside_others();
            db.run(numbers::insert, id, 0);
            if (id == 0) all_wait.pass();
        }));
        if (id == 0) all_wait.entered.get_future().wait();
    }
    all_wait.opened.set_value();
    for (auto& outcome : outcomes) outcome.get();
    EXPECT_EQ(ids(), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(engine->stats().commits - before, 2u);
    EXPECT_EQ(engine->stats().alone, 0u);
}

TEST_P(PostgresEngine, refuses_nobody_for_one_of_those_beside_it) {
    start();
    write([](db::Write& db) { db.run(numbers::insert, 3, 0); });
    Gate all_wait;
    auto first = post_together([&](db::Write& db) {
        db.beside_others();
        db.run(numbers::insert, 1, 0);
        all_wait.pass();
    });
    all_wait.entered.get_future().wait();
    auto insert = [&](int id) {
        return post_together([id](db::Write& db) {
            db.beside_others();
            db.run(numbers::insert, id, 0);
        });
    };
    auto before = insert(2), twice = insert(3), after = insert(4);
    auto refused = post_together([](db::Write& db) {
        db.beside_others();
        db.run(numbers::insert, 5, 0);
        throw base::Forbidden();
    });
    all_wait.opened.set_value();
    for (auto* outcome : {&first, &before, &after}) outcome->get();
    EXPECT_THROW(twice.get(), db::Duplicate);
    EXPECT_THROW(refused.get(), base::Forbidden);
    EXPECT_EQ(ids(), (std::vector<std::int64_t>{1, 2, 3, 4}));
}

TEST_P(PostgresEngine, runs_a_change_alone_that_says_nothing) {
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    Gate gate;
    auto beside = post([&](db::Write& db) {
        db.beside_others();
        db.one(numbers::count);
        gate.pass();
        db.run(numbers::set, 1, db.one(numbers::of, 1) + 1);
    });
    gate.entered.get_future().wait();
    auto alone = post([](db::Write& db) { db.run(numbers::set, 1, db.one(numbers::of, 1) + 10); });
    EXPECT_EQ(alone.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
    gate.opened.set_value();
    beside.get();
    alone.get();
    EXPECT_EQ(number(1), 11);
    EXPECT_EQ(engine->stats().alone, 2u);
}

TEST_P(PostgresEngine, keeps_out_of_a_lock_whoever_wants_it_too_but_not_who_shares_it) {
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    auto locking = [](db::Lock lock, Gate* gate) {
        return [=](db::Write& db) {
            db.beside_others();
            db.lock({db::shared("other", 2), lock});
            auto seen = db.one(numbers::of, 1);
            if (gate) gate->pass();
            db.run(numbers::set, 1, seen + 1);
        };
    };
    Gate gate;
    auto first = post(locking(db::alone("number", 1), &gate));
    gate.entered.get_future().wait();
    auto second = post(locking(db::alone("number", 1), nullptr));
    auto third = post(locking(db::shared("number", 1), nullptr));
    EXPECT_EQ(second.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
    EXPECT_EQ(third.wait_for(std::chrono::milliseconds(0)), std::future_status::timeout);
    gate.opened.set_value();
    for (auto* outcome : {&first, &second, &third}) outcome->get();
    EXPECT_EQ(number(1), 3);
}

// Nor does a connection take itself to hold what the change before held on it.
TEST_P(PostgresEngine, locks_anew_in_each_change_also_behind_a_question) {
    database.options.writers = 1;
    start();
    database.options.prepare = {};
    auto other = db::open_engine(database.options);
    other->start();
    write([](db::Write& db) {
        db.beside_others();
        db.lock({db::alone("number", 1)});
        db.run(numbers::insert, 1, 0);
    });
    Gate gate;
    auto first = post([&](db::Write& db) {
        db.beside_others();
        db.one(numbers::count);
        db.lock({db::alone("number", 1)});
        const auto seen = db.one(numbers::of, 1);
        gate.pass();
        db.run(numbers::set, 1, seen + 1);
    });
    gate.entered.get_future().wait();
    std::promise<void> second;
    auto done = second.get_future();
    other->write(
        "test",
        [](db::Write& db) {
            db.beside_others();
            db.lock({db::alone("number", 1)});
            db.run(numbers::set, 1, db.one(numbers::of, 1) + 1);
        },
        [&](std::exception_ptr error) { error ? second.set_exception(error) : second.set_value(); }
    );
    EXPECT_EQ(done.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
    gate.opened.set_value();
    first.get();
    done.get();
    EXPECT_EQ(number(1), 2);
}

TEST_P(PostgresEngine, counts_last_without_anybody_waiting_for_who_counted_first) {
    start();
    for (int id = 1; id <= 20; ++id) write([id](db::Write& db) { db.run(numbers::insert, id, 0); });
    std::vector<Outcome> outcomes;
    for (int n = 0; n < 200; ++n)
        outcomes.push_back(post([n](db::Write& db) {
            db.beside_others();
            for (int step = 0; step < 5; ++step) db.run_last(add, (n * 7 + step * 13) % 20 + 1, 1);
            db.one(numbers::count);
        }));
    for (auto& outcome : outcomes) outcome.get();
    EXPECT_EQ(read([](db::Read& db) { return db.one(sum_of_numbers); }), 1000);
    EXPECT_EQ(engine->stats().retries, 0u);  // nobody waited for somebody who waited
}

TEST_P(PostgresEngine, runs_a_change_again_and_alone_that_meets_the_row_of_one_beside_it) {
    start();
    auto find_or_insert = [](Gate* gate) {
        return [=](db::Write& db) {
            db.beside_others();
            if (!db.maybe(numbers::of, 1)) {
                if (gate) gate->pass();
                db.run(numbers::insert, 1, 0);
            }
            db.run_last(add, 1, 1);
        };
    };
    Gate gate;
    std::atomic<bool> first_time = true;
    auto first = post([&, held = find_or_insert(&gate), free = find_or_insert(nullptr)](db::Write& db) {
        if (first_time.exchange(false)) held(db);
        else free(db);
    });
    gate.entered.get_future().wait();
    write(find_or_insert(nullptr));
    gate.opened.set_value();
    EXPECT_NO_THROW(first.get());
    EXPECT_EQ(number(1), 2);
    EXPECT_EQ(engine->stats().retries, 1u);
}

TEST_P(PostgresEngine, tells_who_did_not_wait_what_was_refused) {
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    int runs = 0;
    auto twice = [&](db::Write& db) {
        ++runs;
        db.run(numbers::insert, 2, 0);
        db.run(numbers::insert, 1, 0);
        db.run(numbers::insert, 3, 0);
    };
    EXPECT_THROW(write(twice), db::Duplicate);
    EXPECT_EQ(runs, 2);  // the second time it waited at each
    auto caught = [&](db::Write& db) {
        db.run(numbers::insert, 4, 0);
        EXPECT_EQ(db.one(numbers::count), 2);
        try {
            db.run(numbers::insert, 1, 0);
        } catch (const db::Duplicate&) {
            db.run(numbers::insert, 5, 0);
        }
        db.one(numbers::count);
    };
    write(caught);
    EXPECT_EQ(ids(), (std::vector<std::int64_t>{1, 4, 5}));
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
    write(insert_or_set);  // did not wait, waited, and set a savepoint
    EXPECT_EQ(runs, 3);
    for (int writer = 0; writer < 3; ++writer) write(insert_or_set);
    EXPECT_LE(runs, 3 + 3 * 3);
    EXPECT_EQ(read([](db::Read& db) { return db.one(numbers::of, 1); }), 4);
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
