// SPDX-License-Identifier: AGPL-3.0-or-later
#include "jobs/worker.hpp"

#include "base/deadline.hpp"

#include <gmock/gmock.h>
#include <atomic>
#include <latch>
#include <semaphore>

namespace {

using jobs::Idle, jobs::Worker;

TEST(Worker, takes_turns_until_there_is_nothing_to_do_and_again_when_it_is_woken) {
    std::atomic<int> left = 3, done = 0;
    std::counting_semaphore<> idle(0);
    Worker worker("test", [&]() -> Idle {
        if (left > 0) {
            --left;
            ++done;
            return std::nullopt;
        }
        idle.release();
        return jobs::WorkSignal::longest;
    });
    worker.start(1);
    idle.acquire();
    EXPECT_EQ(done, 3);
    left = 2;
    worker.wake();
    idle.acquire();
    EXPECT_EQ(done, 5);
}

TEST(Worker, goes_on_after_a_turn_that_threw) {
    std::atomic<int> turns = 0;
    std::latch third(1);
    Worker worker("test", [&]() -> Idle {
        switch (++turns) {
            case 1: throw std::runtime_error("the disk is full");
            case 2: throw base::Stopping();
            case 3: third.count_down(); [[fallthrough]];
            default: return jobs::WorkSignal::longest;
        }
    });
    worker.start(1);
    for (int woken = 1; woken < 3; ++woken) {
        while (turns < woken) std::this_thread::yield();
        worker.wake();
    }
    third.wait();
    worker.stop();
    EXPECT_EQ(turns, 3);
}

TEST(Worker, stops_when_the_turns_under_way_have_ended_and_may_start_again) {
    std::atomic<int> begun = 0, ended = 0;
    std::counting_semaphore<> may_end(0);
    Worker worker("test", [&]() -> Idle {
        ++begun;
        may_end.acquire();
        ++ended;
        return std::nullopt;
    });
    worker.start(2);
    while (begun < 2) std::this_thread::yield();
    worker.end();
    EXPECT_TRUE(worker.stopping());
    may_end.release(2);
    worker.stop();
    EXPECT_EQ(ended, 2);
    EXPECT_EQ(begun, 2);

    worker.start(1);
    while (begun < 3) std::this_thread::yield();
    worker.end();
    may_end.release(1);
    worker.stop();
    EXPECT_EQ(ended, 3);
}

}  // namespace
