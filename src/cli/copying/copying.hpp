// SPDX-License-Identifier: AGPL-3.0-or-later
// Shared by the commands that copy a database.
#pragma once
#include "cli/cli_context.hpp"
#include "config/config.hpp"
#include "config/data_directory.hpp"
#include "db/portable/tally.hpp"

#include <chrono>

namespace server {

// For people: without the password in a URL.
std::string name_of(const Config&);

std::int64_t rows_of(const std::vector<db::portable::Tallied>&);

// Ensures that no server or rehearsal uses the database while this exists: locks the data folder, or asks
// PostgreSQL.
class Alone {
public:
    // Throws DataDirectoryError.
    explicit Alone(const Config&);
    // For PostgreSQL: call before changing anything, and again before the decisive step, because a server may
    // have started. Throws Refused.
    void check(CliContext&) const;

private:
    std::optional<DataDirectoryLock> lock_;
};

// Reports progress on stderr every two seconds.
class CopyNotes {
public:
    explicit CopyNotes(std::string done) : done_(std::move(done)) {}
    db::portable::Progress progress();

private:
    void tell(const std::string& table, std::int64_t rows, std::int64_t of);

    const std::string done_;
    std::string table_;
    std::int64_t before_ = 0, in_table_ = 0;  // rows
    const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point told_ = begun_;
};

}  // namespace server
