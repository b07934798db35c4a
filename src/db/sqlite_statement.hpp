// SPDX-License-Identifier: AGPL-3.0-or-later
// One prepared statement of one SQLite connection.
#pragma once
#include "db/connection.hpp"

#include <sqlite3.h>

#include <cstdint>
#include <string>
#include <vector>

namespace db {

// Throws the exception for SQLite's current error: Duplicate, Outage or Failure.
[[noreturn]] void throw_sqlite(sqlite3*, const char* statement);

// A bound list, which a statement reads as a table: `list($1)` has a row for each entry, with its `value` and
// its `place`, counted from 0. json_each would serialize the list as text and parse it again, ten times as
// slow per id.
struct SqliteList {
    std::vector<std::int64_t> ids;  // one of the two is used
    std::vector<std::string> texts;
};
// Registers the table-valued function list() with a connection.
void add_lists(sqlite3*);

class SqliteStatement {
public:
    SqliteStatement(sqlite3*, const Sql&);
    SqliteStatement(sqlite3*, const char* name, const char* text);
    ~SqliteStatement() { sqlite3_finalize(handle_); }
    SqliteStatement(const SqliteStatement&) = delete;

    // With `copy` the values need not outlive this call; otherwise they must live until the statement has
    // finished.
    void bind(std::span<const Value>, bool copy);
    bool step();  // true: a row
    void reset() { sqlite3_reset(handle_); }
    void run();
    sqlite3_stmt* handle() const { return handle_; }
    const char* name() const { return name_; }

private:
    void find_parameters(std::string_view text);
    int bind_one(int index, const Value&, bool copy);
    int bind_list(int index, const Value&);

    sqlite3* db_;
    const char* name_;
    bool exact_;  // the number of values must match: the same text runs on PostgreSQL, which insists on it
    sqlite3_stmt* handle_ = nullptr;
    std::vector<unsigned> value_of_;  // value_of_[i]: which value is bound at index i + 1
    std::size_t values_ = 0;
    std::vector<bool> as_table_;      // of each index: its list is read by list() instead of json_each()
    std::vector<SqliteList> lists_;   // bound lists, by index
    std::vector<std::string> texts_;  // the same, as JSON
};

}  // namespace db
