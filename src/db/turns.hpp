// SPDX-License-Identifier: AGPL-3.0-or-later
// A fair mutex: granted in the order in which it was requested, so a thread that locks it in a loop cannot
// starve others.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace db {

class Turns {
public:
    void lock() {
        std::unique_lock lock(mutex_);
        const auto mine = next_++;
        changed_.wait(lock, [&] { return serving_ == mine; });
    }
    void unlock() {
        bool others;
        {
            std::lock_guard lock(mutex_);
            others = ++serving_ != next_;
        }
        if (others) changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t next_ = 0, serving_ = 0;
};

}  // namespace db
