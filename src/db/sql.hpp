// SPDX-License-Identifier: AGPL-3.0-or-later
// SQL statements as named constants. Each is defined directly above the function that runs it; its name
// appears in metrics and slow logs. Parameters are $1, $2 … on both engines. One text serves both engines
// where they only differ in syntax:
//   id IN LIST($1), id NOT IN LIST($1)   one of many values, given as one parameter
//   FOR UPDATE, FOR UPDATE SKIP LOCKED   at the end of a query; SQLite has one writer and needs no locks
// Otherwise the constant holds two texts.
//
// PostgreSQL infers a parameter's type from its first use, and `$1 IS NULL` provides none. An optional bound
// is written `id < coalesce($1, 9223372036854775807)`, for which both engines use an index; elsewhere the
// typed use comes first: `name = $1 OR $1 IS NULL`. Sums and averages of BIGINT are NUMERIC there:
// CAST(sum(n) AS BIGINT).
//
// Every constant registers itself in one list, so that a test can prepare all of them on both engines and
// compare their columns with the members of the row struct. Nothing else reads the list.
#pragma once
#include "base/describe.hpp"

#include <string_view>
#include <vector>

namespace db {

struct Sql {
    using Columns = void (*)(std::vector<std::string_view>&);
    Sql(const char* its_name, const char* both, Columns);
    Sql(const char* its_name, const char* sqlite_text, const char* postgres_text, Columns);
    Sql(const Sql&) = delete;

    const char* name;
    const char* sqlite;
    const char* postgres;
    bool only_looks;  // PostgreSQL: neither changes nor locks rows
    // Appends the names of the row's members; null for a command and for a row that is a single value.
    Columns columns;
    const Sql* next;  // the list of all
    unsigned number;  // dense, from 0: the key of the statement caches

    static const Sql* all();
    static unsigned count();
};

// A statement that returns rows of type Row: a described struct, whose members match the select list in
// order, or a single value.
template <class Row>
struct Query : Sql {
    Query(const char* its_name, const char* both) : Sql(its_name, both, member_names()) {}
    Query(const char* its_name, const char* for_sqlite, const char* for_postgres)
        : Sql(its_name, for_sqlite, for_postgres, member_names()) {}

private:
    static constexpr Columns member_names() {
        if constexpr (base::Described<Row>)
            return +[](std::vector<std::string_view>& names) {
                base::for_each_member<Row>([&](auto member) { names.push_back(member.name); });
            };
        else return nullptr;
    }
};

// A statement that returns no rows.
struct Command : Sql {
    Command(const char* its_name, const char* both) : Sql(its_name, both, nullptr) {}
    Command(const char* its_name, const char* for_sqlite, const char* for_postgres)
        : Sql(its_name, for_sqlite, for_postgres, nullptr) {}
};

}  // namespace db
