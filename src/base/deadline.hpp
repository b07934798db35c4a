// SPDX-License-Identifier: AGPL-3.0-or-later
// Until when the work that a thread does now may take. A request has one deadline, which goes with its work from thread
// to thread: the questions it asks, HTTP and SQL end when it does. A thread outside any scope has all the time it wants.
#pragma once
#include "base/errors.hpp"

#include <atomic>
#include <chrono>

namespace base {

using Deadline = std::chrono::steady_clock::time_point;
constexpr Deadline no_deadline = Deadline::max();

// The time of a request was over before its work was done.
struct TimedOut : Unavailable {
    using Unavailable::Unavailable;
};

// The server ends, and asks nobody any more. Not the fault of what was asked for: its next try comes after the start.
struct Stopping : Unavailable {
    using Unavailable::Unavailable;
};

// All that this thread does in a scope. Within another scope the earlier end counts.
class Within {
public:
    // `cancelled` ends the work, too; it must outlive the scope.
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
