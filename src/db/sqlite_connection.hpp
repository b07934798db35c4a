// SPDX-License-Identifier: AGPL-3.0-or-later
// A connection to a SQLite file in WAL mode, for one thread at a time. The file name ":memory:" gives a database
// of its own that lives as long as the connection.
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
    std::optional<std::int64_t> version() override;  // of connections that only read

    void begin(Mode) override;
    void commit() override;
    void rollback() noexcept override;

    // One change of several in a transaction: settle it, or undo it alone.
    void mark();
    void settle();
    void undo();
    // Throws when a change left a row that refers to nothing, which the commit of the whole group would trip over.
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
    // Whether commits do, between two of them.
    void wait_for_disk(bool);
    // Has the disk keep what was moved. A checkpoint does so only when it moved all there was, and then takes as long as
    // the disk needs for everything since the last such one.
    void sync_moved();
    // The same of what commits wrote that did not wait for it.
    void sync_log();
    void wait_when_busy(std::chrono::milliseconds);
    // For copying (db/portable), which prepares statements of its own.
    sqlite3* handle() const { return db_; }

    void prefetch(const Sql&, std::span<const Value>) override;

    // The last connection moves the log into the file and removes it when it closes, but for this.
    void keep_log();
    // Bytes through SQLite's own descriptors; what the file is too short for is left out.
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
    Mode transaction_ = Mode::write;       // of which kind the open one is
    bool open_ = false;                    // one was begun and has not ended, as far as we know
    std::optional<std::int64_t> version_;  // of this transaction, once asked for
    std::unique_ptr<Fixed> fixed_;
    std::vector<std::vector<std::unique_ptr<SqliteStatement>>> idle_;  // by Sql::number
};

}  // namespace db
