// SPDX-License-Identifier: AGPL-3.0-or-later
// The only clock used by sessions, except in unit tests.
#pragma once
#include "base/time.hpp"

#include <atomic>
#include <chrono>

namespace server {

// How far it is ahead: lets tests skip long waiting times.
inline std::atomic<std::int64_t> clock_offset_ms = 0;

inline base::Time clock_now() {
    using namespace std::chrono;
    return {duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count() + clock_offset_ms};
}

}  // namespace server
