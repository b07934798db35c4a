// SPDX-License-Identifier: AGPL-3.0-or-later
// Threads that do one kind of work, turn after turn, and sleep while there is none. What the work is, and how long what a
// turn took is leased, its function knows; how threads are started, woken, and ended stands here once.
#pragma once
#include "jobs/work_signal.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

namespace jobs {

// What a turn found. Empty: it worked, and there may be more. Otherwise there was nothing to do, and it looks again after so
// long, or when it is woken.
using Idle = std::optional<std::chrono::milliseconds>;

class Worker {
public:
    // Does what is due, if anything. What it throws is logged, and tried again a second later.
    using Turn = std::function<Idle()>;

    // Who slept waits for a moment once it is woken, if one is given.
    Worker(const char* name, Turn turn, WorkSignal::Milliseconds moment = WorkSignal::Milliseconds(0))
        : name_(name), turn_(std::move(turn)), work_signal_(moment) {}
    ~Worker() { stop(); }

    void start(int threads);
    void wake() { work_signal_.wake(); }  // there is something for one thread; from any thread
    void end();                           // no turn begins any more
    void stop();                          // the same, and waits for the turns under way
    bool stopping() { return work_signal_.ended(); }

private:
    void loop();

    const char* const name_;
    const Turn turn_;
    WorkSignal work_signal_;
    std::vector<std::thread> threads_;
};

}  // namespace jobs
