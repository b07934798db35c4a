// SPDX-License-Identifier: AGPL-3.0-or-later
// The deadline of the work that a thread is doing. A request has one deadline, which is passed on from thread
// to thread with its work: its questions, HTTP requests and SQL end when it expires. A thread outside any
// scope has no deadline.
#pragma once
#include "base/errors.hpp"

#include <atomic>
#include <chrono>

namespace base {

using Deadline = std::chrono::steady_clock::time_point;
constexpr Deadline no_deadline = Deadline::max();

// The deadline of a request passed before its work was done.
struct TimedOut : Unavailable {
    using Unavailable::Unavailable;
};

// The server is shutting down and makes no more requests. Not a failure of the work, which is tried again
// after the start.
struct Stopping : Unavailable {
    using Unavailable::Unavailable;
};

// Sets the deadline for this thread while it lives. Inside another scope, the earlier deadline counts.
class Within {
public:
    // `cancelled` also ends the work; it must outlive the scope.
    explicit Within(Deadline until, const std::atomic<bool>* cancelled = nullptr);
    ~Within();
    Within(const Within&) = delete;

    static Deadline deadline();
    static bool over();

private:
    Deadline outer_until_;
    const std::atomic<bool>* outer_cancelled_;
};

}  // namespace base
