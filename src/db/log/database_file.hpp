// SPDX-License-Identifier: AGPL-3.0-or-later
// A SQLite database and its log as bytes, readable while others write. Uses SQLite's own file descriptors,
// because closing any other descriptor of the same file would release this process's locks (POSIX).
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace db {

class SqliteConnection;

class DatabaseFile {
public:
    explicit DatabaseFile(const std::filesystem::path&);  // throws Failure
    ~DatabaseFile();
    DatabaseFile(const DatabaseFile&) = delete;

    // Holds a snapshot. Until unpin(), no newer page is written into the database file, and the log restarts
    // only once all of it is in the database file.
    void pin();
    void unpin() noexcept;
    bool pinned() const { return pinned_; }

    std::uint64_t size() const;
    std::uint64_t log_size() const;
    // Bytes past the end of the file are left out.
    std::string read(std::uint64_t offset, std::size_t bytes) const;
    std::string read_log(std::uint64_t offset, std::size_t bytes) const;

private:
    std::unique_ptr<SqliteConnection> connection_;
    bool pinned_ = false;
};

// For a database that nobody else has open: moves the contents of its log into the file and removes the log.
// Returns how many frames SQLite found in it.
std::uint64_t fold_log(const std::filesystem::path& database);

// The problems SQLite finds: damage, and foreign keys without a target. Throws base::Stopping once `stopped`
// returns true.
std::vector<std::string> faults_in(
    const std::filesystem::path& database, const std::function<bool()>& stopped = {}
);

// The result of a query, one line per row.
std::vector<std::string> lines_of(const std::filesystem::path& database, const char* statement);

}  // namespace db
