// SPDX-License-Identifier: AGPL-3.0-or-later
// One prepared statement of one SQLite connection.
#pragma once
#include "db/connection.hpp"

#include <sqlite3.h>

#include <string>
#include <vector>

namespace db {

// Throws what a result code of SQLite means: Duplicate, Outage or Failure.
[[noreturn]] void throw_sqlite(sqlite3*, const char* statement);

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
    void find_parameters();
    int bind_one(int index, const Value&, bool copy);
    int bind_list(int index, const Value&);

    sqlite3* db_;
    const char* name_;
    bool exact_;  // the count of values must agree: the text is PostgreSQL's as well, and that insists
    sqlite3_stmt* handle_ = nullptr;
    std::vector<unsigned> value_of_;  // value_of_[i]: which value is bound at index i + 1
    std::size_t values_ = 0;
    std::vector<std::string> lists_;  // the text of a bound list, by index
};

}  // namespace db
