// SPDX-License-Identifier: AGPL-3.0-or-later
// How idle threads wait for work.
#include "jobs/rest.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace {

using jobs::Rest;
using namespace std::chrono_literals;

struct Pool {
    explicit Pool(int size, Rest::Milliseconds at_most = Rest::longest) {
        for (int i = 0; i < size; ++i)
            threads.emplace_back([this, at_most] {
                while (rest.wait(at_most)) ++looks;
            });
    }
    ~Pool() {
        rest.end();
        for (auto& thread : threads) thread.join();
    }
    bool looked(int times) {
        for (int i = 0; i < 1000 && looks < times; ++i) std::this_thread::sleep_for(5ms);
        return looks >= times;
    }

    Rest rest;
    std::atomic<int> looks = 0;
    std::vector<std::thread> threads;
};

TEST(Rest, lets_one_thread_look_for_each_time_it_is_woken) {
    Pool pool(6);
    for (int i = 1; i <= 3; ++i) {
        pool.rest.wake();
        EXPECT_TRUE(pool.looked(i));
    }
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(pool.looks, 3);
}

TEST(Rest, misses_nobody_who_woke_it_before) {
    Rest rest;
    rest.wake();
    EXPECT_TRUE(rest.wait());
}

TEST(Rest, looks_with_one_thread_only_when_the_time_has_come) {
    Pool pool(8, 20ms);
    EXPECT_TRUE(pool.looked(10));
    // Eight threads that each looked would have come to more than a hundred and sixty.
    const int before = pool.looks;
    std::this_thread::sleep_for(400ms);
    EXPECT_LE(pool.looks - before, 60);
}

TEST(Rest, ends_for_everybody_and_may_begin_again) {
    Rest rest;
    rest.end();
    EXPECT_FALSE(rest.wait());
    EXPECT_TRUE(rest.ended());
    rest.begin();
    rest.wake();
    EXPECT_TRUE(rest.wait());
}

}  // namespace
