// SPDX-License-Identifier: AGPL-3.0-or-later
// Read::expect on PostgreSQL: what is asked ahead has the answer that asking in its turn would have.
#include "db/engine.hpp"
#include "db/lock.hpp"
#include "engine_fixture.hpp"

namespace {

const db::Query<std::int64_t> server{"test_ahead_server", "", "SELECT pg_backend_pid()"};
const db::Query<bool> end_server{"test_ahead_end_server", "", "SELECT pg_terminate_backend($1::int)"};
const db::Query<std::int64_t> divided{"test_ahead_divided", "", "SELECT CAST(1 / $1 AS BIGINT)"};
const db::Query<std::string> echo{"test_ahead_echo", "", "SELECT COALESCE(CAST($1 AS TEXT), 'none')"};
const db::Query<std::int64_t> raise{
    "test_ahead_raise", "", "UPDATE numbers SET n = n + 1 WHERE id = $1 RETURNING n"
};
const db::Query<std::int64_t> held{"test_ahead_held", "", "SELECT n FROM numbers WHERE id = $1 FOR UPDATE"};
const db::Query<std::int64_t> held_by_all{
    "test_ahead_held_by_all", "", "SELECT n FROM numbers WHERE id = $1 FOR KEY SHARE"
};

struct AskedAhead : EngineFixture {
    AskedAhead() { database.options.readers = database.options.writers = 1; }

    void commit_beside(int id) {
        auto beside = database.connection();
        db::write_now(*beside, database.options.context, [&](db::Write& db) {
            db.beside_others();
            db.run(numbers::insert, id, 0);
        });
    }
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(AskedAhead);
INSTANTIATE_TEST_SUITE_P(
    db, AskedAhead,
    testing::ValuesIn(
        support::postgres_url() ? std::vector{support::Database::postgres} : std::vector<support::Database>{}
    ),
    support::database_name
);

TEST_P(AskedAhead, is_answered_with_the_next_question_and_taken_once) {
    start();
    std::vector<std::int64_t> seen;
    write([&](db::Write& db) {
        db.beside_others();
        db.expect(numbers::count);
        db.one(server);
        commit_beside(1);
        seen = {db.one(numbers::count), db.one(numbers::count)};
    });
    EXPECT_EQ(seen, (std::vector<std::int64_t>{0, 1}));
}

TEST_P(AskedAhead, comes_behind_what_was_sent_before_it) {
    start();
    std::vector<std::int64_t> seen;
    write([&](db::Write& db) {
        db.run(numbers::insert, 1, 5);
        db.expect(numbers::count);
        db.expect(numbers::of, 1);
        seen = {db.one(raise, 1), db.one(numbers::of, 1)};
    });
    EXPECT_EQ(seen, (std::vector<std::int64_t>{6, 6}));
    write([&](db::Write& db) {
        db.expect(numbers::count);
        db.run(numbers::insert, 2, 0);
        seen = {db.one(numbers::of, 2), db.one(numbers::count)};
    });
    EXPECT_EQ(seen, (std::vector<std::int64_t>{0, 2}));
}

TEST_P(AskedAhead, is_asked_anew_when_anything_was_sent_since) {
    using Between = std::pair<const char*, std::function<void(db::Write&)>>;
    const std::vector<Between> all{
        {"a command", [](db::Write& db) { db.run(numbers::set, 1, 1); }},
        {"a command whose effect is looked at",
         [](db::Write& db) { EXPECT_EQ(db.run(numbers::set, 1, 1), 1); }},
        {"a lock", [](db::Write& db) { db.lock({db::alone("test", 1)}); }},
        {"a question that holds a row", [](db::Write& db) { db.one(held, 1); }},
        {"a question that changes a row", [](db::Write& db) { db.one(raise, 1); }},
        {"another question", [](db::Write& db) { db.one(numbers::of, 1); }},
    };
    start();
    int id = 1;
    commit_beside(id);
    for (const auto& [what, happens] : all) {
        std::int64_t before = 0, expected = 0, fresh = 0;
        write([&](db::Write& db) {
            db.beside_others();
            before = db.one(numbers::count);
            db.expect(numbers::count);
            db.one(server);
            commit_beside(++id);
            happens(db);
            expected = db.one(numbers::count);
            fresh = db.one(numbers::count);
        });
        EXPECT_EQ(expected, fresh) << what;
        EXPECT_EQ(fresh, before + 1) << what;
    }
}

TEST_P(AskedAhead, belongs_to_one_run_of_a_change) {
    start();
    std::vector<std::int64_t> seen;
    int runs = 0;
    write([&](db::Write& db) {
        db.beside_others();
        if (++runs == 1) {
            db.expect(numbers::count);
            db.expect(numbers::of, 1);
            db.one(server);
            commit_beside(1);
            throw db::Retry("once more");
        }
        seen = {db.one(numbers::count), db.one(numbers::of, 1)};
    });
    EXPECT_EQ(seen, (std::vector<std::int64_t>{1, 0}));
}

TEST_P(AskedAhead, fails_in_its_turn_and_only_then) {
    start();
    int runs = 0;
    write([&](db::Write& db) {
        ++runs;
        db.expect(divided, 0);
        db.one(numbers::count);
        db.run(numbers::insert, 1, 0);
    });
    EXPECT_EQ(runs, 2);
    EXPECT_EQ(ids(), std::vector<std::int64_t>{1});
    std::vector<std::int64_t> seen;
    EXPECT_THROW(
        write([&](db::Write& db) {
            db.expect(divided, 0);
            db.expect(divided, 1);
            db.run(numbers::insert, 2, 0);
            seen = {db.one(numbers::count), db.one(divided, 1)};
            db.one(divided, 0);
        }),
        db::Failure
    );
    EXPECT_EQ(seen, (std::vector<std::int64_t>{2, 1}));
    EXPECT_EQ(ids(), std::vector<std::int64_t>{1});
}

// Its snapshot cannot go on, whatever is asked.
TEST_P(AskedAhead, fails_in_a_snapshot_when_the_next_is_asked) {
    start();
    std::int64_t seen = -1;
    const auto fails = [&](const db::Query<std::int64_t>& next) {
        return [&](db::Read& db) {
            db.expect(divided, 0);
            db.expect(numbers::ids);
            seen = db.one(numbers::count);
            return db.all(next, 0).size();
        };
    };
    EXPECT_THROW(read(fails(divided)), db::Failure);
    EXPECT_EQ(std::exchange(seen, -1), 0);
    EXPECT_THROW(read(fails(numbers::of)), db::Failure);
    EXPECT_EQ(seen, 0);
    EXPECT_EQ(
        read([](db::Read& db) {
            db.expect(divided, 0);
            return db.one(numbers::count);
        }),
        0
    );
    EXPECT_EQ(ids(), std::vector<std::int64_t>{});
}

TEST_P(AskedAhead, leaves_nothing_behind_at_the_end) {
    start();
    std::vector<std::int64_t> servers;
    const auto change = [&](const std::function<void(db::Write&)>& f) {
        write([&](db::Write& db) {
            servers.push_back(db.one(server));
            f(db);
        });
    };
    change([](db::Write& db) { db.expect(numbers::count); });
    change([](db::Write& db) {
        db.expect(numbers::count);
        db.run(numbers::insert, 1, 0);
    });
    change([](db::Write& db) {
        db.expect(numbers::of, 1);
        db.one(numbers::count);
    });
    EXPECT_THROW(
        change([](db::Write& db) {
            db.expect(numbers::count);
            db.run(numbers::insert, 2, 0);
            throw base::Forbidden();
        }),
        base::Forbidden
    );
    change([](db::Write& db) { EXPECT_EQ(db.one(numbers::count), 1); });
    for (auto one : servers) EXPECT_EQ(one, servers[0]);
    read([](db::Read& db) {
        db.expect(numbers::of, 1);
        return 0;
    });
    EXPECT_EQ(ids(), std::vector<std::int64_t>{1});
}

TEST_P(AskedAhead, knows_each_by_its_values) {
    start();
    std::vector<std::string> seen;
    const std::string kept(1000, 'x');
    const auto ask = [&](db::Read& db) {
        {
            const std::string gone = kept;
            db.expect(echo, gone);
        }
        db.expect(echo, std::nullopt);
        db.expect(echo, "b");
        db.one(server);
        seen = {db.one(echo, "b"), db.one(echo, kept), db.one(echo, std::nullopt), db.one(echo, "")};
        return 0;
    };
    read(ask);
    EXPECT_EQ(seen, (std::vector<std::string>{"b", kept, "none", ""}));
}

// Many posts are looked at on one snapshot; what one of them says must not be the end of the others.
TEST_P(AskedAhead, leaves_nothing_of_values_that_cannot_be_sent) {
    start();
    const auto seen = read([](db::Read& db) {
        EXPECT_THROW(db.expect(echo, std::string_view("a\0b", 3)), base::Invalid);
        db.one(server);  // with which it would go
        return db.one(numbers::count);
    });
    EXPECT_EQ(seen, 0);
}

TEST_P(AskedAhead, is_a_question_and_nothing_else) {
    start();
    for (const auto* sql : {&raise, &held, &held_by_all})
        EXPECT_THROW(write([&](db::Write& db) { db.expect(*sql, 1); }), db::Failure) << sql->name;
}

TEST_P(AskedAhead, goes_to_the_connection_that_replaces_an_idle_one) {
    start();
    const auto idle = read([](db::Read& db) { return db.one(server); });
    auto beside = database.connection();
    db::read_now(*beside, database.options.context, [&](db::Read& db) { db.one(end_server, idle); });
    const auto asked = [](db::Read& db) {
        db.expect(numbers::count);
        return std::pair(db.one(server), db.one(numbers::count));
    };
    const auto [now, count] = read(asked);
    EXPECT_NE(now, idle);
    EXPECT_EQ(count, 0);
}

}  // namespace
