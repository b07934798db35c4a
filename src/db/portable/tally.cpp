// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/portable/tally.hpp"

namespace db::portable {

Tallied tally(Store& store, const Table& table, const Progress& progress) {
    Tally sum(table.name, 0, progress);
    store.read(table, [&](std::string_view row) { sum.add(row); });
    return sum.end();
}

Tallied copy(Store& from, const Table& table, Store& to, const Progress& progress) {
    Tally sum(table.name, from.count(table), progress);
    to.begin_rows(table.name, table.columns);
    from.read(table, [&](std::string_view row) {
        sum.add(row);
        to.add_row(row);
    });
    to.end_rows();
    auto wanted = sum.end();
    require_same(wanted, tally(to, table, {}));
    return wanted;
}

void require_same(const Tallied& wanted, const Tallied& found) {
    if (wanted == found) return;
    throw Failure(
        "the table " + wanted.table + " is not in the copy what it was: " + std::to_string(wanted.rows) +
        " rows with the hash " + wanted.sha256 + ", in the copy " + std::to_string(found.rows) + " with " +
        found.sha256
    );
}

}  // namespace db::portable
