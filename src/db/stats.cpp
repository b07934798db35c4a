// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/stats.hpp"

#include <algorithm>
#include <bit>

namespace db {

void Counters::committed(std::size_t group_size) {
    commits.fetch_add(1, std::memory_order_relaxed);
    const auto bucket = static_cast<std::size_t>(std::bit_width(std::max<std::size_t>(group_size, 1))) - 1;
    groups[std::min(bucket, groups.size() - 1)].fetch_add(1, std::memory_order_relaxed);
}

Stats Counters::read() const {
    Stats now;
    now.reads = reads;
    now.reads_refused = reads_refused;
    now.changes = changes;
    now.changes_failed = changes_failed;
    now.changes_refused = changes_refused;
    now.changes_slow = changes_slow;
    now.commits = commits;
    now.commits_failed = commits_failed;
    now.retries = retries;
    now.statements_slow = statements_slow;
    std::ranges::copy(groups, now.groups.begin());
    now.reading = std::chrono::microseconds(reading_us.load());
    now.writing = std::chrono::microseconds(writing_us.load());
    return now;
}

}  // namespace db
