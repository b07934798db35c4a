// SPDX-License-Identifier: AGPL-3.0-or-later
// A SQLite database and its log as bytes, beside whoever writes. They are read through SQLite's own descriptors: to close
// another one of the same file would give up the locks of this process.
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

    // A snapshot. While it stands, no page newer than it gets into the database file, and its log does not begin anew
    // unless all of it is there.
    void pin();
    void unpin() noexcept;
    bool pinned() const { return pinned_; }

    std::uint64_t size() const;
    std::uint64_t log_size() const;
    // What the file is too short for is left out.
    std::string read(std::uint64_t offset, std::size_t bytes) const;
    std::string read_log(std::uint64_t offset, std::size_t bytes) const;

private:
    std::unique_ptr<SqliteConnection> connection_;
    bool pinned_ = false;
};

// Of a database that nobody else has open: moves what stands in its log into the file and removes the log. Answers how
// many frames SQLite found in it.
std::uint64_t fold_log(const std::filesystem::path& database);

// What SQLite says is wrong with it: damage, rows that refer to none. Throws base::Stopping once `stopped` says so.
std::vector<std::string> faults_in(
    const std::filesystem::path& database, const std::function<bool()>& stopped = {}
);

// What a question answers, a line for each row.
std::vector<std::string> lines_of(const std::filesystem::path& database, const char* statement);

}  // namespace db
