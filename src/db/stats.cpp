// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/stats.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace db {

void Counters::committed(std::size_t group_size) {
    commits.fetch_add(1, std::memory_order_relaxed);
    const auto bucket = static_cast<std::size_t>(std::bit_width(std::max<std::size_t>(group_size, 1))) - 1;
    groups[std::min(bucket, groups.size() - 1)].fetch_add(1, std::memory_order_relaxed);
}

void Counters::commit_took(std::chrono::nanoseconds time) {
    const auto us = std::chrono::duration_cast<std::chrono::microseconds>(time).count();
    if (us > longest_commit_us) longest_commit_us = us;
    committing_us.fetch_add(us, std::memory_order_relaxed);
}

void Counters::change_took(const char* name, std::chrono::microseconds time) {
    // The first ones are kept however short they were, so that the metric exists from the start.
    if (time < std::chrono::milliseconds(1) && changes > 1) return;
    std::lock_guard lock(mutex_);
    auto& longest = longest_[name];
    longest = std::max(longest, time);
}

void Counters::statement_was_slow(const char* name, std::chrono::microseconds time) {
    ++statements_slow;
    std::lock_guard lock(mutex_);
    auto& one = slow_[name];
    one.name = name;
    ++one.times;
    one.longest = std::max(one.longest, time);
}

Stats Counters::read() const {
    Stats now;
    {
        std::lock_guard lock(mutex_);
        now.longest_changes.assign(longest_.begin(), longest_.end());
        for (const auto& [name, one] : slow_) now.slow_statements.push_back(one);
    }
    std::ranges::sort(now.slow_statements, std::greater(), &SlowOne::longest);
    std::ranges::sort(now.longest_changes, std::greater(), [](const auto& one) { return one.second; });
    now.committing = std::chrono::microseconds(committing_us.load());
    now.longest_commit = std::chrono::microseconds(longest_commit_us.load());
    now.reads = reads;
    now.reads_refused = reads_refused;
    now.changes = changes;
    now.changes_failed = changes_failed;
    now.changes_refused = changes_refused;
    now.changes_slow = changes_slow;
    now.commits = commits;
    now.commits_failed = commits_failed;
    now.retries = retries;
    now.alone = alone;
    now.statements_slow = statements_slow;
    std::ranges::copy(groups, now.groups.begin());
    now.reading = std::chrono::microseconds(reading_us.load());
    now.writing = std::chrono::microseconds(writing_us.load());
    return now;
}

}  // namespace db
