// SPDX-License-Identifier: AGPL-3.0-or-later
// How idle threads wait for work.
#include "jobs/work_signal.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

namespace {

using jobs::WorkSignal;
using namespace std::chrono_literals;

struct Pool {
    explicit Pool(
        int size, WorkSignal::Milliseconds at_most = WorkSignal::longest,
        WorkSignal::Milliseconds moment = 0ms
    )
        : signal(moment) {
        for (int i = 0; i < size; ++i)
            threads.emplace_back([this, at_most] {
                while (signal.wait(at_most)) ++looks;
            });
    }
    ~Pool() {
        signal.end();
        for (auto& thread : threads) thread.join();
    }
    bool looked(int times) {
        for (int i = 0; i < 12000 && looks < times; ++i) std::this_thread::sleep_for(5ms);
        return looks >= times;
    }

    WorkSignal signal;
    std::atomic<int> looks = 0;
    std::vector<std::thread> threads;
};

TEST(WorkSignal, lets_one_thread_look_for_each_time_it_is_woken) {
    Pool pool(6);
    for (int i = 1; i <= 3; ++i) {
        pool.signal.wake();
        EXPECT_TRUE(pool.looked(i));
    }
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(pool.looks, 3);
}

TEST(WorkSignal, lets_one_thread_look_for_all_that_comes_within_a_moment) {
    Pool pool(6, WorkSignal::longest, 500ms);
    for (int i = 0; i < 10; ++i) pool.signal.wake();
    EXPECT_TRUE(pool.looked(1));
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(pool.looks, 1);
    pool.signal.wake();
    EXPECT_TRUE(pool.looked(2)) << "what came afterwards is forgotten";
}

TEST(WorkSignal, ends_within_the_moment) {
    std::optional<Pool> pool(std::in_place, 2, WorkSignal::longest, 60s);
    pool->signal.wake();
    std::this_thread::sleep_for(20ms);
    const auto begun = std::chrono::steady_clock::now();
    pool.reset();
    EXPECT_LT(std::chrono::steady_clock::now() - begun, 30s);
}

TEST(WorkSignal, misses_nobody_who_woke_it_before) {
    WorkSignal signal;
    signal.wake();
    EXPECT_TRUE(signal.wait());
}

TEST(WorkSignal, looks_with_one_thread_only_when_the_time_has_come) {
    Pool pool(8, 20ms);
    EXPECT_TRUE(pool.looked(10));
    // Eight threads that each looked would do so eight times in this time.
    const int before = pool.looks;
    const auto begun = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(400ms);
    const int looks = pool.looks - before;
    EXPECT_LE(looks, 3 * ((std::chrono::steady_clock::now() - begun) / 20ms));
}

TEST(WorkSignal, ends_for_everybody_and_may_begin_again) {
    WorkSignal signal;
    signal.end();
    EXPECT_FALSE(signal.wait());
    EXPECT_TRUE(signal.ended());
    signal.begin();
    signal.wake();
    EXPECT_TRUE(signal.wait());
}

}  // namespace
