// SPDX-License-Identifier: AGPL-3.0-or-later
// The portable dump: a database as one text, the same from either engine (docs/operating/moving.md describes it for those
// who read it by hand). A line of JSON begins it, one begins each table, rows as COPY writes them follow, then a line \. and one
// with their count and hash; one ends it.
#pragma once
#include "db/portable/tally.hpp"

namespace db::portable {

// It is not what it should be, or breaks off; the sentence says where.
struct BrokenDump : std::runtime_error {
    using runtime_error::runtime_error;
};

// The store's snapshot as it stands. `out` takes whole lines. Answers what was written.
std::vector<Tallied> write_dump(
    Store&, const std::function<void(std::string_view)>& out, const Progress& progress
);

class DumpReader {
public:
    // `more` answers the next piece, nothing at the end; a piece is valid until it is called again.
    explicit DumpReader(std::function<std::string_view()> more);

    const std::string& migration() const {
        return migration_;
    }  // the last one of the database that was dumped

    struct Head {
        Table table;  // without a key
        std::int64_t rows = 0;
    };
    std::optional<Head> next_table();  // nothing at the end of the dump
    // All rows of that table. What is taken was not compared with its hash yet; at the end it is. Answers their sum.
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

// Of a database.
std::string last_migration(Store&);

}  // namespace db::portable
