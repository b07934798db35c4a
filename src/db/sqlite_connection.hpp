// SPDX-License-Identifier: AGPL-3.0-or-later
// A connection to a SQLite file in WAL mode, for one thread at a time. The file name ":memory:" gives a
// private database that lives as long as the connection.
#pragma once
#include "db/sqlite_statement.hpp"

namespace db {

class SqliteConnection final : public Connection {
public:
    SqliteConnection(const std::string& file, Mode);
    ~SqliteConnection() override;

    std::unique_ptr<Rows> query(const Sql&, std::span<const Value>) override;
    std::int64_t execute(const Sql&, std::span<const Value>) override;
    void script(const std::string& statements) override;
    std::vector<std::string> columns(const Sql&) override;
    bool is_postgres() const override { return false; }
    std::optional<std::int64_t> version() override;  // only of read-only connections

    void begin(Mode) override;
    void commit() override;
    void rollback() noexcept override;

    // One of several changes in a transaction: keep it, or roll back only this one.
    void mark();
    void settle();
    void undo();
    // Throws when a change left a dangling foreign key, which would make the commit of the whole group fail.
    void refuse_dangling();
    // False after an error that made SQLite roll the whole transaction back.
    bool in_transaction() const { return sqlite3_get_autocommit(db_) == 0; }

    struct Log {
        int pages = 0, moved = 0;
    };
    // Moves pages from the log into the database file.
    enum class Checkpoint {
        passive,   // what can be moved without waiting for anybody
        restart,   // all, waiting for readers and writers; the next change then begins at the log's start
        truncate,  // the same, and the log's file is emptied
    };
    Log checkpoint(Checkpoint);
    // Whether commits wait for the disk.
    void wait_for_disk(bool);
    // Syncs the pages that were moved to the database file. A checkpoint syncs only when it has moved
    // everything, and then takes as long as the disk needs for everything since the last such checkpoint.
    void sync_moved();
    // Syncs the log, for commits that did not wait for the disk.
    void sync_log();
    void wait_when_busy(std::chrono::milliseconds);
    // For copying (db/portable), which prepares its own statements.
    sqlite3* handle() const { return db_; }

    void prefetch(const Sql&, std::span<const Value>) override;

    // Keeps this connection from moving and removing the log when it is the last one to close.
    void keep_log();
    // Reads bytes through SQLite's own descriptors; bytes past the end of the file are left out.
    enum class File { database, log };
    std::uint64_t file_size(File) const;
    std::string read_file(File, std::uint64_t offset, std::size_t bytes) const;

private:
    friend class SqliteRows;
    sqlite3_file* opened(File) const;
    void sync(File);
    struct Fixed;  // the statements of transactions
    void configure(Mode);
    std::unique_ptr<SqliteStatement> take(const Sql&);
    void give_back(unsigned number, std::unique_ptr<SqliteStatement>) noexcept;
    void refuse_change(const SqliteStatement&) const;
    void measure(const Sql&, std::chrono::steady_clock::time_point begun) const;

    sqlite3* db_ = nullptr;
    const bool in_memory_, writable_;
    bool waits_for_disk_ = true;
    Mode transaction_ = Mode::write;       // kind of the open one
    bool open_ = false;                    // begun and not ended yet, as far as this object knows
    std::optional<std::int64_t> version_;  // of this transaction, once queried
    std::unique_ptr<Fixed> fixed_;
    std::vector<std::vector<std::unique_ptr<SqliteStatement>>> idle_;  // by Sql::number
};

}  // namespace db
