// SPDX-License-Identifier: AGPL-3.0-or-later
// The number of rows and their hash, to compare two copies of a table.
#pragma once
#include "base/describe.hpp"
#include "base/hash/digest.hpp"
#include "db/portable/store.hpp"

namespace db::portable {

struct Tallied {
    std::string table;
    std::int64_t rows = 0;
    std::string sha256;  // of the rows in dump format
    bool operator==(const Tallied&) const = default;
};
DESCRIBE(Tallied, table, rows, sha256)

// Called now and then while a table is read: rows so far, and the total.
using Progress = std::function<void(const std::string& table, std::int64_t rows, std::int64_t of)>;

class Tally {
public:
    Tally(std::string table, std::int64_t of, Progress progress)
        : table_(std::move(table)), of_(of), progress_(std::move(progress)) {}

    void add(std::string_view row) {
        constexpr std::int64_t often = 8192;
        digest_.add(row);
        if (++rows_ % often == 0 && progress_) progress_(table_, rows_, of_);
    }
    Tallied end() { return {table_, rows_, digest_.hex()}; }

private:
    std::string table_;
    std::int64_t of_, rows_ = 0;
    const Progress progress_;
    base::Digest digest_;
};

// Reads the whole table.
Tallied tally(Store&, const Table&, const Progress&);

// Copies a table. Throws Failure when the copy then differs.
Tallied copy(Store& from, const Table&, Store& to, const Progress&);

// Throws Failure, naming the table, when they differ.
void require_same(const Tallied& wanted, const Tallied& found);

}  // namespace db::portable
