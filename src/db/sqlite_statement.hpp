// SPDX-License-Identifier: AGPL-3.0-or-later
// One prepared statement of one SQLite connection.
#pragma once
#include "db/connection.hpp"

#include <sqlite3.h>

#include <cstdint>
#include <string>
#include <vector>

namespace db {

// Throws what a result code of SQLite means: Duplicate, Outage or Failure.
[[noreturn]] void throw_sqlite(sqlite3*, const char* statement);

// A bound list, which a statement reads as a table: `list($1)` has a row for each entry, with its `value` and its `place`,
// counted from 0. With json_each a list becomes text and is read again, which costs an id ten times as much.
struct SqliteList {
    std::vector<std::int64_t> ids;  // either of both
    std::vector<std::string> texts;
};
// Every connection has that table.
void add_lists(sqlite3*);

class SqliteStatement {
public:
    SqliteStatement(sqlite3*, const Sql&);
    SqliteStatement(sqlite3*, const char* name, const char* text);
    ~SqliteStatement() { sqlite3_finalize(handle_); }
    SqliteStatement(const SqliteStatement&) = delete;

    // With `copy` the values may go before the statement has run to its end.
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
    bool exact_;  // the count of values must agree: the text is PostgreSQL's as well, and that insists
    sqlite3_stmt* handle_ = nullptr;
    std::vector<unsigned> value_of_;  // value_of_[i]: which value is bound at index i + 1
    std::size_t values_ = 0;
    std::vector<bool> as_table_;      // of each index: its list is read by list() and not by json_each()
    std::vector<SqliteList> lists_;   // what is bound, by index
    std::vector<std::string> texts_;  // the same as JSON
};

}  // namespace db
