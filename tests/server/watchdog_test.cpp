// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/monitoring/watchdog.hpp"

#include <gtest/gtest.h>

#include "net/listening.hpp"
#include "net/stage.hpp"

namespace {

// A database whose threads do nothing, or nothing but what the test lets them.
struct Stuck : db::Engine {
    bool read(std::function<void(db::Read&)> job, db::Position) override { return take(std::move(job)); }
    bool write(
        const char*, std::function<void(db::Write&)> change, std::function<void(std::exception_ptr)> done
    ) override {
        return take([change, done] {});
    }
    bool take(std::any what) {
        const std::lock_guard lock(mutex);
        if (!full) waiting.push_back(std::move(what));
        return !full;
    }
    std::size_t count() {
        const std::lock_guard lock(mutex);
        return waiting.size();
    }
    void answer() {
        const std::lock_guard lock(mutex);
        waiting.clear();
    }
    bool full = false;
    std::mutex mutex;
    std::vector<std::any> waiting;
};

struct Watched : testing::Test {
    Watched() {
        ::setenv("NOTIFY_SOCKET", ear.path.c_str(), 1);
        ::setenv("WATCHDOG_USEC", "40000", 1);
        supervisor = net::Supervisor::of_environment();
        stage.start();
    }

    net_test::Ear ear{"/tmp/dunlin-watched-" + std::to_string(::getpid())};
    net::Supervisor supervisor;
    net_test::Stage stage;
    Stuck engine;
    server::Watchdog watchdog{supervisor, stage.server, engine};
};

TEST_F(Watched, is_alive_while_all_answer) {
    watchdog.start();
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(net_test::eventually([&] { return engine.count() == 2; }));
        EXPECT_FALSE(ear.hears("WATCHDOG=1", 30)) << "the database has not answered";
        EXPECT_EQ(engine.count(), 2u) << "one round at a time";
        engine.answer();
        EXPECT_TRUE(ear.hears("WATCHDOG=1"));
        ear.heard.clear();
    }
    watchdog.stop();
}

TEST_F(Watched, is_not_believed_with_full_queues) {
    engine.full = true;
    watchdog.start();
    EXPECT_FALSE(ear.hears("WATCHDOG=1", 200));
    watchdog.stop();
}

}  // namespace
