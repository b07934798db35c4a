// SPDX-License-Identifier: AGPL-3.0-or-later
// The signal that the threads of one kind of work wait for. A commit of this process wakes one of them, which
// wakes the next if it finds more than it takes. For work that is not signalled (retries that become due,
// rows of another process) one thread at a time polls. A woken thread may first wait a moment, so that work
// arriving together is handled together.
#pragma once
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace jobs {

class WorkSignal {
public:
    using Steady = std::chrono::steady_clock;
    using Milliseconds = std::chrono::milliseconds;
    static constexpr Milliseconds longest{5000};

    explicit WorkSignal(Milliseconds moment = Milliseconds(0)) : moment_(moment) {}

    // Wakes one thread. The signal is not lost if none is waiting: the next one to wait returns at once.
    void wake();
    void begin();
    void end();  // wakes all; from now on nobody waits

    // For a thread that found nothing: waits until another look is worthwhile; only one of all threads wakes
    // after `at_most`. False after end().
    bool wait(Milliseconds at_most = longest);
    bool ended();

private:
    const Milliseconds moment_;
    std::mutex mutex_;
    std::condition_variable changed_;
    Steady::time_point look_at_;
    bool woken_ = false;
    bool gathering_ = false;  // a woken thread is letting its moment pass
    bool ended_ = false;
};

}  // namespace jobs
