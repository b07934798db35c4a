// SPDX-License-Identifier: AGPL-3.0-or-later
// Reads where a replica serves: a real one, which is paused, stopped and cut off.
#include "support/replica.hpp"
#include "db/postgres/replica_watch.hpp"
#include "engine_fixture.hpp"
#include "support/way.hpp"

namespace {

using namespace std::chrono_literals;
using support::Replica, support::soon;

const db::Query<bool> from_replica{"test_from_replica", "", "SELECT pg_is_in_recovery()"};

struct Replicated : EngineFixture {
    Replicated() {
        replica.resume();
        database.options.replica_url = replica.url(database.options.postgres_url);
        database.options.longest_silence = 60s;
    }
    ~Replicated() override {
        engine.reset();
        replica.start();
        replica.resume();
        replica.catch_up();  // or the database could not be dropped there
    }

    struct Seen {
        std::int64_t n = -1;
        bool from_replica = false;
        bool operator==(const Seen&) const = default;
    };
    Seen seen(db::Position at_least) {
        auto look = [](db::Read& db) {
            return Seen{db.maybe(numbers::of, 1).value_or(-1), db.one(from_replica)};
        };
        return read(look, at_least);
    }
    // Answers how far one has to look to see it.
    db::Position put(std::int64_t n) {
        std::promise<db::Position> position;
        auto change = [n](db::Write& db) { db.run(n == 0 ? numbers::insert : numbers::set, 1, n); };
        engine->write("test", change, [&](std::exception_ptr error) {
            if (error) position.set_exception(error);
            else position.set_value(engine->position());
        });
        return position.get_future().get();
    }
    bool serves() {
        return soon([&] { return engine->stats().replica->serves; });
    }
    bool is_left_out() {
        return soon([&] { return !engine->stats().replica->serves; });
    }

    Replica& replica = Replica::here();
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Replicated);
INSTANTIATE_TEST_SUITE_P(
    db, Replicated,
    testing::ValuesIn(
        support::postgres_url() ? std::vector{support::Database::postgres} : std::vector<support::Database>{}
    ),
    support::database_name
);

TEST_P(Replicated, serves_who_does_not_ask_for_the_primary) {
    start();
    ASSERT_TRUE(serves());
    put(0);
    EXPECT_EQ(seen(db::newest), (Seen{0, false}));
    EXPECT_TRUE(soon([&] { return seen(db::anything) == Seen{0, true}; }));
}

TEST_P(Replicated, shows_to_whom_it_matters_what_was_written) {
    start();
    ASSERT_TRUE(serves());
    int replicas = 0;
    for (int n = 0; n < 50; ++n) {
        const auto position = put(n);
        ASSERT_NE(position, db::newest);
        const auto now = seen(position);
        EXPECT_EQ(now.n, n);
        if (now.from_replica) ++replicas;
    }
    EXPECT_GT(replicas, 0);  // it is waited for a moment
}

TEST_P(Replicated, has_the_primary_asked_for_what_it_has_not_got) {
    start();
    ASSERT_TRUE(serves());
    const auto old = put(0);
    replica.catch_up();
    replica.pause();
    const auto fresh = put(7);
    EXPECT_EQ(seen(fresh), (Seen{7, false}));
    // A machine that is busy for a second leaves it out for a moment.
    EXPECT_TRUE(soon([&] { return seen(old) == Seen{0, true}; }));
    EXPECT_TRUE(soon([&] { return seen(db::anything) == Seen{0, true}; }));
    EXPECT_TRUE(soon([&] { return engine->stats().replica->bytes_behind > 0; }));
    EXPECT_GT(engine->stats().replica->not_yet, 0U);
    replica.resume();
    EXPECT_TRUE(soon([&] { return seen(fresh) == Seen{7, true}; }));
}

TEST_P(Replicated, is_left_out_while_it_is_away_and_comes_back) {
    start();
    ASSERT_TRUE(serves());
    put(0);
    ASSERT_TRUE(soon([&] { return seen(db::anything).from_replica; }));
    replica.stop();
    EXPECT_TRUE(is_left_out());
    EXPECT_EQ(seen(db::anything), (Seen{0, false}));
    const auto position = put(1);
    replica.start();
    EXPECT_TRUE(soon([&] { return seen(position) == Seen{1, true}; }));
    EXPECT_GE(engine->stats().replica->left_out, 1U);
}

TEST_P(Replicated, that_says_nothing_any_more_is_left_out_and_holds_up_nobody) {
    support::Way way(replica.folder() + "/.s.PGSQL.5432");
    database.options.replica_url =
        support::with_host(database.options.postgres_url, "127.0.0.1&port=" + std::to_string(way.port));
    database.options.readers = 1;
    start();
    ASSERT_TRUE(serves());
    put(0);
    replica.catch_up();
    ASSERT_TRUE(seen(db::anything).from_replica);
    way.silent = true;
    // The silence of a minute that is allowed here is not waited for.
    EXPECT_THROW(seen(db::anything), base::Unavailable);
    ASSERT_TRUE(is_left_out());
    EXPECT_EQ(seen(db::anything), (Seen{0, false}));
    const auto connections = way.accepted.load();
    for (int i = 0; i < 50; ++i) EXPECT_EQ(seen(db::anything), (Seen{0, false}));
    EXPECT_EQ(way.accepted, connections);
    way.silent = false;
    EXPECT_TRUE(soon([&] { return seen(db::anything) == Seen{0, true}; }));
}

TEST_P(Replicated, that_is_a_primary_serves_nobody) {
    database.options.replica_url = database.options.postgres_url;
    start();
    put(0);
    EXPECT_EQ(seen(db::anything), (Seen{0, false}));
    EXPECT_FALSE(engine->stats().replica->serves);
    EXPECT_EQ(engine->stats().replica->reads, 0U);
}

// What was migrated a moment ago is not there yet.
TEST_P(Replicated, serves_nobody_before_it_has_what_there_was_at_the_start) {
    replica.catch_up();
    replica.pause();
    start();
    put(0);
    EXPECT_EQ(seen(db::anything), (Seen{0, false}));
    EXPECT_FALSE(engine->stats().replica->serves);
    replica.resume();
    EXPECT_TRUE(soon([&] { return seen(db::anything) == Seen{0, true}; }));
}

TEST_P(Replicated, is_not_needed_at_the_start) {
    database.options.replica_url = "postgres://nobody@/nothing?host=/nowhere";
    start();
    put(0);
    EXPECT_EQ(seen(db::anything), (Seen{0, false}));
    EXPECT_FALSE(engine->stats().replica->serves);
}

TEST_P(Replicated, a_silent_host_is_passed_over_by_those_who_come_later) {
    auto folder = database.options.postgres_url;
    const auto at = folder.find("host=") + 5;
    folder = folder.substr(at, std::min(folder.find('&', at), folder.size()) - at);
    support::Way silent(folder + "/.s.PGSQL.5432"), way(folder + "/.s.PGSQL.5432");
    silent.silent = true;
    database.options.replica_url.clear();
    database.options.readers = 8;
    database.options.postgres_url = support::with_host(
        database.options.postgres_url,
        "127.0.0.1,127.0.0.1&port=" + std::to_string(silent.port) + "," + std::to_string(way.port)
    );
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 5); });
    EXPECT_EQ(read([](db::Read& db) { return db.one(numbers::of, 1); }), 5);
    silent.silent = false;  // now those are counted that came meanwhile
    EXPECT_TRUE(soon([&] { return silent.accepted > 0; }));
    EXPECT_EQ(silent.accepted, 1);
    EXPECT_GT(way.accepted, 1);
}

TEST(PostgresAddress, that_cannot_be_reached_says_so_at_once) {
    db::PostgresAddress nowhere("postgres://nobody@/nothing?host=/nowhere");
    try {
        nowhere.connect(std::chrono::hours(1), [] {});
        ADD_FAILURE() << "it was reached";
    } catch (const db::Outage& outage) {
        EXPECT_NE(outage.cause.find("No such file"), std::string::npos) << outage.cause;
    }
}

TEST(ReplicaLag, is_the_age_of_the_oldest_change_that_the_replica_has_not_got) {
    db::ReplicaLag lag;
    const db::ReplicaLag::Clock::time_point begin{};
    EXPECT_EQ(lag.late(begin), 0s);
    lag.primary_at({100}, begin);
    lag.primary_at({200}, begin + 1s);
    lag.primary_at({200}, begin + 2s);  // nothing happened
    EXPECT_EQ(lag.late(begin + 3s), 3s);
    EXPECT_EQ(lag.bytes(), 200U);
    lag.replica_at({150});
    EXPECT_EQ(lag.late(begin + 3s), 2s);
    EXPECT_EQ(lag.bytes(), 50U);
    lag.replica_at({200});
    EXPECT_EQ(lag.late(begin + 100s), 0s);
    lag.replica_at({300});  // before it is known that the primary is there
    lag.primary_at({300}, begin + 101s);
    EXPECT_EQ(lag.late(begin + 200s), 0s);
}

TEST(ReplicaLag, grows_on_however_much_is_missing) {
    db::ReplicaLag lag;
    const db::ReplicaLag::Clock::time_point begin{};
    for (std::uint64_t i = 1; i <= 5000; ++i) lag.primary_at({i}, begin + i * 1s);
    EXPECT_EQ(lag.late(begin + 5000s), 4999s);
    lag.replica_at({4999});
    EXPECT_LE(lag.late(begin + 5000s), 1s);
    lag.replica_at({5000});
    EXPECT_EQ(lag.late(begin + 5001s), 0s);
}

TEST(Position, behind_the_head_of_a_page_is_the_end_of_the_page_before) {
    EXPECT_EQ(db::end_of_last_change(8192 * 5 + 24), db::Position{8192 * 5});
    EXPECT_EQ(db::end_of_last_change(16 * 1024 * 1024 + 40), db::Position{16 * 1024 * 1024});
    EXPECT_EQ(db::end_of_last_change(8192 * 5 + 48), db::Position{8192 * 5 + 48});
}

}  // namespace
