// SPDX-License-Identifier: AGPL-3.0-or-later
// Whether mail goes out, counted where it is sent.
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace server {

class MailFigures {
public:
    void sent() {
        ++sent_;
        in_a_row_ = 0;
    }
    void failed(const std::string& why) {
        ++failed_;
        ++in_a_row_;
        const std::lock_guard lock(mutex_);
        why_ = why;
    }
    std::int64_t all_sent() const { return sent_; }
    std::int64_t all_failed() const { return failed_; }
    std::int64_t failed_in_a_row() const { return in_a_row_; }
    std::string last_failure() const {
        const std::lock_guard lock(mutex_);
        return why_;
    }

private:
    std::atomic<std::int64_t> sent_ = 0, failed_ = 0, in_a_row_ = 0;
    mutable std::mutex mutex_;
    std::string why_;
};

}  // namespace server
