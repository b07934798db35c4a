// SPDX-License-Identifier: AGPL-3.0-or-later
// Threads that do one kind of work, turn after turn, and sleep when there is none. The function defines the
// work and its leases; starting, waking and stopping threads is implemented here once.
#pragma once
#include "jobs/work_signal.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

namespace jobs {

// The result of a turn. nullopt: it did something, and there may be more. Otherwise there was nothing to do;
// it looks again after this time, or when woken.
using Idle = std::optional<std::chrono::milliseconds>;

class Worker {
public:
    // Does what is due, if anything. Exceptions are logged, and the next turn follows a second later.
    using Turn = std::function<Idle()>;

    // `moment`: how long a woken thread waits before its turn.
    Worker(const char* name, Turn turn, WorkSignal::Milliseconds moment = WorkSignal::Milliseconds(0))
        : name_(name), turn_(std::move(turn)), work_signal_(moment) {}
    ~Worker() { stop(); }

    void start(int threads);
    void wake() { work_signal_.wake(); }  // there is work for one thread; callable from any thread
    void end();                           // starts no more turns
    void stop();                          // also waits for the turns in progress
    bool stopping() { return work_signal_.ended(); }

private:
    void loop();

    const char* const name_;
    const Turn turn_;
    WorkSignal work_signal_;
    std::vector<std::thread> threads_;
};

}  // namespace jobs
