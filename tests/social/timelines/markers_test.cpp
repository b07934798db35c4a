// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/errors.hpp"
#include "social/timelines/marker.hpp"
#include "world.hpp"

#include <barrier>
#include <future>
#include <thread>

namespace {

struct Markers : OnEachWorld {
    Person alice = w.local("alice");
};
ON_EACH_DATABASE(Markers);

TEST_P(Markers, are_written_and_read_by_timeline) {
    EXPECT_EQ(alice.get("/api/v1/markers", {{"timeline[]", "home"}}).body, "{}");
    auto written = alice.post("/api/v1/markers", {{"home[last_read_id]", "123"}});
    EXPECT_EQ(
        written.body, R"({"home":{"last_read_id":"123","version":0,"updated_at":"2026-01-01T00:00:00.000Z"}})"
    );
    EXPECT_EQ(w.happened(), "");
    EXPECT_EQ(w.changed(), "markers +1");
    EXPECT_EQ(alice.get("/api/v1/markers").body, "{}");
    EXPECT_EQ(
        alice.get("/api/v1/markers", {{"timeline[]", "home"}, {"timeline[]", "notifications"}}).body,
        written.body
    );
    EXPECT_EQ(alice.get("/api/v1/markers", {{"timeline[]", "notifications"}}).body, "{}");
}

TEST_P(Markers, grow_by_one_with_each_write_and_may_go_back) {
    alice.post("/api/v1/markers", {{"home[last_read_id]", "123"}});
    w.advance(5);
    auto answer =
        alice.post("/api/v1/markers", {{"home[last_read_id]", "7"}, {"notifications[last_read_id]", "9"}});
    EXPECT_EQ(answer["home.last_read_id"], "7");
    EXPECT_EQ(answer["home.version"], "1");
    EXPECT_EQ(answer["home.updated_at"], "2026-01-01T00:00:05.000Z");
    EXPECT_EQ(answer["notifications.version"], "0");
}

TEST_P(Markers, are_not_moved_by_reading) {
    auto bob = w.local("bob");
    bob.follows(alice);
    bob.status("@alice");
    alice.post("/api/v1/markers", {{"home[last_read_id]", "1"}, {"notifications[last_read_id]", "1"}});
    auto markers = [&] {
        return alice.get("/api/v1/markers", {{"timeline[]", "home"}, {"timeline[]", "notifications"}}).body;
    };
    auto before = markers();
    w.run_jobs();
    w.changed();
    for (auto path : {"/api/v1/timelines/home", "/api/v1/notifications", "/api/v2/notifications"})
        EXPECT_EQ(alice.get(path).status, 200);
    EXPECT_EQ(w.changed(), "");
    EXPECT_EQ(markers(), before);
}

TEST_P(Markers, are_ones_own) {
    alice.post("/api/v1/markers", {{"home[last_read_id]", "123"}});
    EXPECT_EQ(w.local("bob").get("/api/v1/markers", {{"timeline[]", "home"}}).body, "{}");
}

TEST_P(Markers, take_json) {
    auto answer = alice.send(
        http::Method::post, "/api/v1/markers", R"({"home":{"last_read_id":"5"}})", "application/json"
    );
    EXPECT_EQ(answer["home.last_read_id"], "5");
}

// On a real engine with threads: those who saw the same marker and write at once do not all win.
struct MarkersAtOnce : support::OnEachMigratedDatabase {
    MarkersAtOnce() {
        database.options.readers = 4;
        database.options.prepare = [this](db::Connection& connection) {
            db::migrate(connection, {database.clock_ms});
        };
        engine = db::open_engine(database.options);
        engine->start();
    }
    ~MarkersAtOnce() override { engine.reset(); }

    std::vector<timelines::MarkerRow> seen() {
        std::promise<std::vector<timelines::MarkerRow>> promise;
        engine->read([&](db::Read& db) { promise.set_value(timelines::markers(db, alice)); }, db::newest);
        return promise.get_future().get();
    }
    bool write(std::int64_t last_read, const std::vector<timelines::MarkerRow>& seen) {
        std::promise<bool> won;
        engine->write(
            "test",
            [&](db::Write& db) { timelines::set_marker(db, alice, "home", last_read, seen); },
            [&](std::exception_ptr error) { won.set_value(!error); }
        );
        return won.get_future().get();
    }

    base::AccountId alice{7};
    std::unique_ptr<db::RunningEngine> engine;
};
ON_EACH_DATABASE(MarkersAtOnce);

TEST_P(MarkersAtOnce, let_one_of_those_who_saw_the_same_win) {
    constexpr int rounds = 20, writers = 4;
    std::atomic<int> won = 0;
    std::barrier together(writers);
    std::vector<std::jthread> threads;
    for (int i = 0; i < writers; ++i)
        threads.emplace_back([&, i] {
            for (int round = 0; round < rounds; ++round) {
                auto before = seen();
                together.arrive_and_wait();
                if (write(i + 1, before)) ++won;
                together.arrive_and_wait();
            }
        });
    threads.clear();
    EXPECT_EQ(won, rounds);
    EXPECT_EQ(seen()[0].version, rounds - 1);
}

TEST_P(Markers, are_refused_when_somebody_else_has_moved_them) {
    base::AccountId id{std::stoll(alice.id)};
    auto seen = w.read([&](db::Read& db) { return timelines::markers(db, id); });
    alice.post("/api/v1/markers", {{"home[last_read_id]", "5"}});
    auto late = [&](const char* timeline) {
        w.write([&](db::Write& db) { timelines::set_marker(db, id, timeline, 3, seen); });
    };
    try {
        late("home");
        ADD_FAILURE() << "the conflict was not noticed";
    } catch (const base::Conflict&) {
        auto answer = http::failure(std::current_exception(), {}, "/api/v1/markers");
        EXPECT_EQ(answer.status, 409);
        EXPECT_EQ(answer.body, R"({"error":"Conflict during update, please try again"})");
    }
    EXPECT_EQ(alice.get("/api/v1/markers", {{"timeline[]", "home"}})["home.last_read_id"], "5");
    late("notifications");
}

}  // namespace
