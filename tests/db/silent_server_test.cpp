// SPDX-License-Identifier: AGPL-3.0-or-later
// PostgreSQL behind a way on which everything is lost from some moment on, while connections stay open.
#include "base/deadline.hpp"
#include "engine_fixture.hpp"
#include "support/way.hpp"

namespace {

struct SilentServer : EngineFixture {
    SilentServer() {
        std::string url = database.options.postgres_url;
        auto at = url.find("host=") + 5;
        auto folder = url.substr(at, url.find('&', at) - at);
        way = std::make_unique<support::Way>(folder + "/.s.PGSQL.5432");
        url.replace(at, folder.size(), "127.0.0.1&port=" + std::to_string(way->port));
        database.options.readers = 1;
        database.options.writers = 2;
        direct_ = database.options.postgres_url;
        database.options.postgres_url = url;
    }
    ~SilentServer() override {
        way->silent = false;
        engine.reset();
    }

    // Who could not connect is not asked again at once.
    template <class Ask>
    static bool is_answered_again(Ask&& ask) {
        for (int i = 0; i < 400; ++i) {
            try {
                ask();
                return true;
            } catch (const base::Unavailable&) {
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
            }
        }
        return false;
    }
    std::int64_t first() {
        return read([](db::Read& db) { return db.one(numbers::of, 1); });
    }

    std::unique_ptr<support::Way> way;

private:
    std::string direct_;
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SilentServer);
INSTANTIATE_TEST_SUITE_P(
    db, SilentServer,
    testing::ValuesIn(
        support::postgres_url() ? std::vector{support::Database::postgres} : std::vector<support::Database>{}
    ),
    support::database_name
);

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto patience = 15s;  // a silence alone would take 35

TEST_P(SilentServer, keeps_nobody_longer_than_their_deadline) {
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    way->silent = true;
    const auto begun = Clock::now();
    {
        base::Within within(Clock::now() + 300ms);
        auto change = post([](db::Write& db) { db.run(numbers::insert, 2, 0); });
        EXPECT_THROW(read([](db::Read& db) { return db.one(numbers::count); }), base::TimedOut);
        EXPECT_THROW(change.get(), base::Unavailable);
    }
    EXPECT_LT(Clock::now() - begun, patience);
    way->silent = false;
    EXPECT_TRUE(is_answered_again([&] { EXPECT_EQ(first(), 0); }));
    EXPECT_TRUE(is_answered_again([&] { write([](db::Write& db) { db.run(numbers::set, 1, 5); }); }));
    EXPECT_EQ(first(), 5);
}

TEST_P(SilentServer, is_given_up_without_a_deadline_too) {
    database.options.longest_silence = 500ms;
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    way->silent = true;
    EXPECT_THROW(read([](db::Read& db) { return db.one(numbers::count); }), base::Unavailable);
    EXPECT_THROW(write([](db::Write& db) { db.run(numbers::insert, 2, 0); }), base::Unavailable);
    way->silent = false;
    EXPECT_TRUE(is_answered_again([&] { EXPECT_EQ(first(), 0); }));
}

TEST_P(SilentServer, does_not_keep_the_program_from_its_end) {
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    way->silent = true;
    auto change = post([](db::Write& db) { db.run(numbers::insert, 2, 0); });
    const auto begun = Clock::now();
    engine->cancel();
    engine->stop();
    EXPECT_LT(Clock::now() - begun, patience);
    EXPECT_THROW(change.get(), base::Unavailable);
}

}  // namespace
