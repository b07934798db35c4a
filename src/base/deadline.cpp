// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/deadline.hpp"

#include <algorithm>

namespace base {

namespace {

thread_local Deadline until = no_deadline;
thread_local const std::atomic<bool>* cancelled = nullptr;

}  // namespace

Within::Within(Deadline its_until, const std::atomic<bool>* its_cancelled)
    : outer_until_(until), outer_cancelled_(cancelled) {
    until = std::min(until, its_until);
    if (its_cancelled) cancelled = its_cancelled;
}

Within::~Within() {
    until = outer_until_;
    cancelled = outer_cancelled_;
}

Deadline Within::deadline() { return until; }

bool Within::over() {
    if (cancelled && cancelled->load(std::memory_order_relaxed)) return true;
    return until != no_deadline && std::chrono::steady_clock::now() >= until;
}

}  // namespace base
