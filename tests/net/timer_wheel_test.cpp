// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/timer_wheel.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

using net::TimerWheel;
using namespace std::chrono_literals;

namespace {

struct Entry : TimerWheel::Entry {
    void expire() override { ++expired; }
    int expired = 0;
};

}  // namespace

TEST(TimerWheel, expires_once_and_not_early) {
    TimerWheel wheel(10ms);
    TimerWheel::Clock::time_point start(1000s);
    wheel.advance(start);
    Entry entry;
    wheel.set(entry, start, 100ms);
    wheel.advance(start + 100ms);
    EXPECT_EQ(entry.expired, 0);
    wheel.advance(start + 111ms);
    EXPECT_EQ(entry.expired, 1);
    wheel.advance(start + 10s);
    EXPECT_EQ(entry.expired, 1);
    EXPECT_TRUE(wheel.empty());
}

TEST(TimerWheel, follows_a_naive_one) {
    std::mt19937 random(7);
    TimerWheel wheel(10ms);
    TimerWheel::Clock::time_point now(1000s);
    wheel.advance(now);
    struct Naive {
        Entry entry;
        TimerWheel::Clock::time_point deadline = TimerWheel::Clock::time_point::max();
        int expected = 0;
    };
    std::vector<Naive> all(40);
    for (int step = 0; step < 20'000; ++step) {
        auto& one = all[random() % all.size()];
        if (random() % 3 == 0) {
            wheel.clear(one.entry);
            one.deadline = TimerWheel::Clock::time_point::max();
        } else {
            const auto after = std::chrono::milliseconds(random() % (random() % 10 == 0 ? 9000 : 300));
            wheel.set(one.entry, now, after);
            one.deadline = now + after;
        }
        now += std::chrono::milliseconds(random() % 40);
        wheel.advance(now);
        for (auto& naive : all) {
            // Late by a tick at most: what is older must have expired, what is younger may have.
            const bool overdue = naive.deadline <= now - 10ms;
            const bool fired = naive.entry.expired > naive.expected;
            ASSERT_FALSE(overdue && !fired);
            ASSERT_FALSE(fired && naive.deadline > now);
            if (fired) naive.deadline = TimerWheel::Clock::time_point::max();
            naive.expected = naive.entry.expired;
        }
    }
}

TEST(TimerWheel, forgets_entries_that_are_destroyed) {
    TimerWheel wheel(10ms);
    TimerWheel::Clock::time_point start(1000s);
    wheel.advance(start);
    {
        Entry entry;
        wheel.set(entry, start, 1s);
    }
    EXPECT_TRUE(wheel.empty());
    wheel.advance(start + 2s);
}
