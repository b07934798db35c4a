// SPDX-License-Identifier: AGPL-3.0-or-later
// What an engine counts for the metrics page. Everything but the queue lengths only increases.
#pragma once
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace db {

struct SlowOne {
    std::string_view name;
    std::uint64_t times = 0;
    std::chrono::microseconds longest{};
};

struct Stats {
    std::size_t reads_waiting = 0, writes_waiting = 0;
    std::uint64_t reads = 0, reads_refused = 0;
    std::uint64_t changes = 0, changes_failed = 0, changes_refused = 0, changes_slow = 0;
    std::uint64_t commits = 0, commits_failed = 0;
    std::uint64_t retries = 0;  // PostgreSQL: transactions that conflicted and ran again
    std::uint64_t alone = 0;    // PostgreSQL: changes that ran exclusively
    std::uint64_t statements_slow = 0;
    std::array<std::uint64_t, 9> groups{};           // commits of 1, 2-3, 4-7, … 256 changes
    std::chrono::microseconds reading{}, writing{};  // time that threads were busy
    std::chrono::microseconds longest_commit{};      // of writing transactions, including the disk's part
    std::chrono::microseconds committing{};          // their sum (SQLite)
    // The longest run of each change that ever took a millisecond, by name, longest first.
    std::vector<std::pair<std::string_view, std::chrono::microseconds>> longest_changes;
    std::vector<SlowOne> slow_statements;  // longest first

    // PostgreSQL, if a replica is configured.
    struct Replica {
        bool serves = false;
        std::chrono::milliseconds late{};
        std::uint64_t bytes_behind = 0;
        std::uint64_t reads = 0;     // that the replica served
        std::uint64_t not_yet = 0;   // that the primary served because the replica was not far enough
        std::uint64_t left_out = 0;  // how often it was left out
    };
    std::optional<Replica> replica;
};

// The same, while counting.
struct Counters {
    std::atomic<std::uint64_t> reads = 0, reads_refused = 0;
    std::atomic<std::uint64_t> changes = 0, changes_failed = 0, changes_refused = 0, changes_slow = 0;
    std::atomic<std::uint64_t> commits = 0, commits_failed = 0, retries = 0, statements_slow = 0;
    std::atomic<std::uint64_t> alone = 0;
    std::atomic<std::uint64_t> replica_reads = 0, replica_not_yet = 0;
    std::array<std::atomic<std::uint64_t>, 9> groups{};
    std::atomic<std::int64_t> reading_us = 0, writing_us = 0, longest_commit_us = 0, committing_us = 0;

    void committed(std::size_t group_size);
    void commit_took(std::chrono::nanoseconds);  // of SQLite's writer
    void change_took(const char* name, std::chrono::microseconds);
    void statement_was_slow(const char* name, std::chrono::microseconds);
    Stats read() const;

private:
    mutable std::mutex mutex_;
    std::unordered_map<std::string_view, std::chrono::microseconds> longest_;  // names are literals
    std::unordered_map<std::string_view, SlowOne> slow_;
};

}  // namespace db
