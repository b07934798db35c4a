// SPDX-License-Identifier: AGPL-3.0-or-later
// Where the database is, and the options of its engine.
#pragma once
#include "db/session.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace db {

class LogFollower;

struct Options {
    std::filesystem::path sqlite_file;  // empty: in memory, for tests
    std::string postgres_url;           // not empty: PostgreSQL instead
    std::string replica_url;            // serves slightly stale reads; the primary does when it is down

    int readers = 0;  // 0: cores, at least 2 (SQLite); 16 (PostgreSQL)
    // PostgreSQL: its own statements end after 30 seconds, so a server that is silent for longer is
    // considered dead.
    std::chrono::milliseconds longest_silence{35'000};
    int writers = 0;           // PostgreSQL only; 0: 16
    std::size_t queue = 4096;  // longest queue of reads, and of changes
    std::size_t group = 256;   // most changes in one commit
    std::chrono::milliseconds slow_change{20
    };  // a longer change is logged by name; PostgreSQL: five times that

    // SQLite: how often its log is moved into the database file; from how many pages of 4 KB on the writer is
    // made to wait so that the log can restart; and how large a log file may remain while nobody writes.
    std::chrono::milliseconds checkpoint_every{500};
    int log_pages = 4096;
    std::uintmax_t idle_log_bytes = 64 << 20;

    // SQLite: copies the log away before it is overwritten.
    std::shared_ptr<LogFollower> follower;
    bool keep_log = false;  // SQLite: a separate connection (open_connection) does not checkpoint on close

    Context context;
    // Called on a writer after each commit, before `done` of its changes. Must be quick and must not throw.
    std::function<void(std::vector<Announcement>)> announced;
    // Called by start() with the writing connection before anything else, to run migrations.
    std::function<void(Connection&)> prepare;
    // Called by start() after `prepare`, if no other node uses this database, and before one can start.
    std::function<void(Connection&)> alone;

    bool postgres() const { return !postgres_url.empty(); }
    int reader_threads() const {
        if (readers > 0) return readers;
        return postgres() ? 16 : std::max(2, static_cast<int>(std::thread::hardware_concurrency()));
    }
    int writer_threads() const { return !postgres() ? 1 : writers > 0 ? writers : 16; }
};

}  // namespace db
