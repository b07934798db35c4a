// SPDX-License-Identifier: AGPL-3.0-or-later
// Counts whether mail is sent successfully.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace server {

class MailFigures {
public:
    using Clock = std::chrono::steady_clock;

    void sent() {
        ++sent_;
        in_a_row_ = 0;
    }
    void failed(const std::string& why) {
        ++failed_;
        ++in_a_row_;
        const std::lock_guard lock(mutex_);
        why_ = why;
        failed_at_ = Clock::now();
    }
    std::int64_t all_sent() const { return sent_; }
    std::int64_t all_failed() const { return failed_; }
    // 0 if the last failure is long ago: the current state is unknown.
    std::int64_t failed_in_a_row(Clock::time_point now = Clock::now()) const {
        const std::lock_guard lock(mutex_);
        return now - failed_at_ <= std::chrono::hours(1) ? in_a_row_.load() : 0;
    }
    std::string last_failure() const {
        const std::lock_guard lock(mutex_);
        return why_;
    }

private:
    std::atomic<std::int64_t> sent_ = 0, failed_ = 0, in_a_row_ = 0;
    mutable std::mutex mutex_;
    std::string why_;
    Clock::time_point failed_at_{};
};

}  // namespace server
