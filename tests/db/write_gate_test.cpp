// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/write_gate.hpp"
#include "engine_fixture.hpp"

#include <thread>

namespace {

using Ids = std::vector<std::int64_t>;

struct WriteGateEngine : EngineFixture {
    auto insert(std::int64_t id) {
        return post([id](db::Write& db) { db.run(numbers::insert, id, 0); });
    }
    static std::string refusal(Outcome outcome) {
        try {
            outcome.get();
        } catch (const db::ReadOnly& refused) {
            return refused.what();
        }
        return "";
    }

    void begin() {
        engine = db::open_engine(database.options, gate);
        engine->start();
    }

    std::shared_ptr<db::WriteGate> gate = std::make_shared<db::WriteGate>();
};
ON_EACH_DATABASE(WriteGateEngine);

TEST_P(WriteGateEngine, refuses_changes_while_it_is_closed_and_reads_on) {
    begin();
    insert(1).get();
    gate->close("We are moving");
    EXPECT_EQ(refusal(insert(2)), "We are moving");
    {
        const db::MakingRoom making_room;
        EXPECT_EQ(refusal(insert(3)), "We are moving");
    }
    EXPECT_EQ(ids(), Ids{1});
    gate->open();
    insert(4).get();
    EXPECT_EQ(ids(), (Ids{1, 4}));
}

TEST_P(WriteGateEngine, lets_what_makes_room_through_when_the_disk_is_full) {
    begin();
    gate->fill();
    EXPECT_NE(refusal(insert(1)), "");
    {
        const db::MakingRoom making_room;
        insert(2).get();
    }
    EXPECT_NE(refusal(insert(3)), "");
    EXPECT_EQ(ids(), Ids{2});
    gate->empty();
    insert(4).get();
    EXPECT_EQ(ids(), (Ids{2, 4}));
}

TEST_P(WriteGateEngine, tells_when_no_change_is_under_way_any_more) {
    using namespace std::chrono_literals;
    begin();
    Gate held;
    auto under_way = post([&](db::Write& db) {
        db.run(numbers::insert, 1, 0);
        held.pass();
    });
    held.entered.get_future().wait();
    auto waiting = insert(2);  // SQLite has it in a queue, PostgreSQL may have done it
    gate->close("");
    EXPECT_FALSE(gate->wait_until_still(20ms));
    held.opened.set_value();
    EXPECT_TRUE(gate->wait_until_still(10s));
    under_way.get();
    const auto still = ids();
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(ids(), still) << "what waited before it was closed is not made later";
    const bool refused = refusal(std::move(waiting)) != "";
    EXPECT_EQ(still.size(), refused ? 1u : 2u);
}

TEST_P(WriteGateEngine, closes_itself_when_the_disk_is_found_full_and_keeps_nothing_of_that_change) {
    begin();
    auto full = post([](db::Write& db) {
        db.run(numbers::insert, 1, 0);
        throw db::DiskFull("no space left on device");
    });
    EXPECT_NE(refusal(std::move(full)), "");
    EXPECT_TRUE(gate->is_full());
    EXPECT_NE(refusal(insert(2)), "");
    EXPECT_EQ(ids(), Ids{});
}

struct FullFile : WriteGateEngine {};
INSTANTIATE_TEST_SUITE_P(db, FullFile, testing::Values(support::Database::sqlite), support::database_name);

// max_page_count is how SQLite itself is told that there is no more room.
TEST_P(FullFile, is_known_by_what_sqlite_says) {
    database.options.prepare = [](db::Connection& connection) {
        connection.script("CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT)");
        connection.script("PRAGMA max_page_count = 20");
    };
    begin();
    static const db::Command insert{
        "test_texts_insert", "INSERT INTO texts (text) VALUES (hex(zeroblob($1)))"
    };
    int kept = 0;
    for (; kept < 100; ++kept) {
        try {
            write([](db::Write& db) { db.run(insert, 4000); });
        } catch (const db::ReadOnly&) {
            break;
        }
    }
    EXPECT_LT(kept, 100);
    EXPECT_TRUE(gate->is_full());
    static const db::Query<std::int64_t> count{"test_texts_count", "SELECT count(*) FROM texts"};
    EXPECT_EQ(read([](db::Read& db) { return db.one(count); }), kept)
        << "what was answered is there, no more";
}

}  // namespace
