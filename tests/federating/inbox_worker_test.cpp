// SPDX-License-Identifier: AGPL-3.0-or-later
// When the threads that process what was received look for it.
#include "federating/inbox_worker.hpp"
#include "db/engine.hpp"
#include "support/counting.hpp"
#include "support/database.hpp"

#include <chrono>
#include <thread>

namespace {

const db::Query<std::int64_t> test_inbox_count{"test_inbox_count", "SELECT COUNT(*) FROM inbox_items"};

struct Received : support::OnEachMigratedDatabase {
    Received() {
        database.options.prepare = [](db::Connection& connection) { db::migrate(connection, {1000}); };
        database.options.announced = [this](const std::vector<db::Announcement>& news) {
            for (const auto& one : news)
                if (one.channel == federation::inbox_channel) worker.wake();
        };
        engine = db::open_engine(database.options);
        engine->start();
    }
    ~Received() override {
        worker.stop();
        engine->stop();
    }
    void receive(const std::string& about) {
        federation::Item item;
        item.signer = "https://elsewhere.example/users/a";
        item.body = R"({"type":"Nonsense","actor":")" + item.signer + "\"}";
        db::write_and_wait(*engine, "test", [&](db::Write& db) { federation::keep(db, item, about); });
    }
    bool all_done() {
        std::int64_t left = 1;
        for (int i = 0; i < 2000 && left != 0; ++i) {
            db::read_and_wait(*engine, [&](db::Read& db) { left = db.one(test_inbox_count); });
            if (left != 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return left == 0;
    }

    base::ExternalServices services;
    std::unique_ptr<db::RunningEngine> engine;
    support::Counting counting{[this]() -> db::Engine& { return *engine; }};
    server::InboxWorker worker{counting, services, {}};
};
ON_EACH_DATABASE(Received);

TEST_P(Received, is_looked_for_when_it_came_and_hardly_ever_else) {
    worker.start();
    receive("a");
    EXPECT_TRUE(all_done());
    const auto before = counting.changes("lease_inbox_items");
    const auto begun = std::chrono::steady_clock::now();
    // Nine threads that each asked once a second would have asked eighteen times.
    std::this_thread::sleep_for(std::chrono::milliseconds(2200));
    const auto asked = counting.changes("lease_inbox_items") - before;
    EXPECT_LE(asked, 3 * ((std::chrono::steady_clock::now() - begun) / std::chrono::seconds(2)));
    receive("b");
    EXPECT_TRUE(all_done());
}

}  // namespace
