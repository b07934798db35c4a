// SPDX-License-Identifier: AGPL-3.0-or-later
#include "backup/neighbours.hpp"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <utility>

namespace backup {

namespace {

using namespace std::chrono_literals;
constexpr auto longest = 250ms;

// From ioprio_set(2): some versions of linux/ioprio.h do not compile as C++.
constexpr int of_thread = 1, idle = 3 << 13;

}  // namespace

void be_nice() {
    const auto thread = static_cast<id_t>(::syscall(SYS_gettid));
    ::setpriority(PRIO_PROCESS, thread, 15);
    ::syscall(SYS_ioprio_set, of_thread, thread, idle);
}

Neighbours::Neighbours(const std::filesystem::path& database)
    : log_(database.string() + "-wal"), begun_(std::chrono::steady_clock::now()) {}

bool Neighbours::somebody_writes(std::chrono::milliseconds lately) const {
    std::error_code absent;
    const auto written = std::filesystem::last_write_time(log_, absent);
    return !absent && std::filesystem::file_time_type::clock::now() - written < lately;
}

std::chrono::milliseconds Neighbours::pause(Rests rests) {
    const auto now = std::chrono::steady_clock::now();
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(now - std::exchange(begun_, now));
    if (!somebody_writes()) return 0ms;
    const int times = rests == Rests::long_ones ? 3 : 1;  // relative to the duration of the step
    const auto time = std::min(took * times, std::chrono::milliseconds(longest));
    begun_ += time;
    return time;
}

}  // namespace backup
