// SPDX-License-Identifier: AGPL-3.0-or-later
// The portable dump: a database as one text, identical from either engine (docs/operating/moving.md describes
// the format). A line of JSON begins the dump and each table; rows in COPY format follow, then a line \. and
// one with their count and hash; a last line ends the dump.
#pragma once
#include "db/portable/tally.hpp"

namespace db::portable {

// The dump is malformed or truncated; the message says where.
struct BrokenDump : std::runtime_error {
    using runtime_error::runtime_error;
};

// Writes the store's current snapshot. `out` receives whole lines. Returns the tally of each table.
std::vector<Tallied> write_dump(
    Store&, const std::function<void(std::string_view)>& out, const Progress& progress
);

class DumpReader {
public:
    // `more` returns the next piece, or an empty one at the end; a piece is valid until the next call.
    explicit DumpReader(std::function<std::string_view()> more);

    const std::string& migration() const { return migration_; }  // the last migration of the dumped database

    struct Head {
        Table table;  // without a key
        std::int64_t rows = 0;
    };
    std::optional<Head> next_table();  // nothing at the end of the dump
    // Passes all rows of that table to the callback, before their hash is known; it is checked at the end.
    // Returns their tally.
    Tallied rows(const Progress&, const Take&);

private:
    std::string_view line();
    [[noreturn]] void broken(const std::string& how) const;

    std::function<std::string_view()> more_;
    std::string_view piece_;
    std::string partial_;  // a line that began in an earlier piece
    std::int64_t lines_ = 0, tables_ = 0, all_rows_ = 0;
    std::string migration_;
    std::optional<Head> head_;
};

// The last migration applied to a database.
std::string last_migration(Store&);

}  // namespace db::portable
