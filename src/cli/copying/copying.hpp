// SPDX-License-Identifier: AGPL-3.0-or-later
// What the commands share that copy a database.
#pragma once
#include "cli/cli_context.hpp"
#include "config/config.hpp"
#include "config/data_directory.hpp"
#include "db/portable/tally.hpp"

#include <chrono>

namespace server {

// For people: without the password of an address.
std::string name_of(const Config&);

std::int64_t rows_of(const std::vector<db::portable::Tallied>&);

// No server, no rehearsal either, runs on the database as long as this is there: a folder is locked, a PostgreSQL is asked.
class Alone {
public:
    // Throws DataDirectoryError.
    explicit Alone(const Config&);
    // Of a PostgreSQL: before anything is changed, and once more before what counts, since a server may have come. Throws Refused.
    void check(CliContext&) const;

private:
    std::optional<DataDirectoryLock> lock_;
};

// How far it is, on stderr, every two seconds.
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
