// SPDX-License-Identifier: AGPL-3.0-or-later
// The signal on which the threads that do one kind of work wait. What this process commits wakes one of them, which wakes
// the next when it finds more than it takes. What is not signalled (the time of a next try, rows of another process) is
// looked for by one thread at a time. Who is woken may wait for a moment first, so that what comes together is taken
// together.
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

    // There is work for one thread. None is missed: who comes to wait afterwards does not.
    void wake();
    void begin();
    void end();  // nobody waits any more

    // For a thread that found nothing: until it may be worth looking again, `at_most` from now for one thread of all.
    // False after end().
    bool wait(Milliseconds at_most = longest);
    bool ended();

private:
    const Milliseconds moment_;
    std::mutex mutex_;
    std::condition_variable changed_;
    Steady::time_point look_at_;
    bool woken_ = false;
    bool gathering_ = false;  // somebody woken waits for its moment to pass
    bool ended_ = false;
};

}  // namespace jobs
