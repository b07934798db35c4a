// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/portable/target.hpp"

#include <algorithm>

namespace db::portable {

namespace {

// The table, with its columns in the dump's order.
Table as_dumped(Target& target, const Table& dumped) {
    auto found = std::ranges::find(target.tables(), dumped.name, &Table::name);
    std::optional<Table> table;
    if (found != target.tables().end()) table = *found;
    else table = target.store().describe({dumped.name.c_str()});  // one that newer programs no longer have
    if (!table)
        throw BrokenDump("The dump has a table " + dumped.name + ", which a database of its age has not");
    for (const auto& column : dumped.columns) {
        const auto own = std::ranges::find(table->columns, column.name, &Column::name);
        if (own == table->columns.end() || own->type != column.type)
            throw BrokenDump(
                "The dump has a column " + dumped.name + "." + column.name +
                ", which a database of its age has not"
            );
    }
    if (dumped.columns.size() != table->columns.size())
        throw BrokenDump("The dump lacks columns of the table " + dumped.name);
    table->columns = dumped.columns;
    return *table;
}

}  // namespace

std::vector<Tallied> load_dump(
    DumpReader& dump, const Options& options, base::Time now, const Progress& progress,
    std::string_view with_it
) {
    Target target(options, dump.migration(), now);
    std::vector<Tallied> all;
    while (const auto head = dump.next_table()) {
        const auto table = as_dumped(target, head->table);
        auto& store = target.store();
        store.begin_rows(table.name, table.columns);
        const auto wanted = dump.rows(progress, [&](std::string_view row) { store.add_row(row); });
        store.end_rows();
        // Called again and again during the check as well, so that the callback can abort by throwing.
        auto told = [&](const std::string& name, std::int64_t, std::int64_t) {
            if (progress) progress(name, wanted.rows, wanted.rows);
        };
        require_same(wanted, tally(store, table, told));
        told(table.name, 0, 0);
        all.push_back(wanted);
    }
    target.build();
    if (!with_it.empty()) target.store().run(std::string(with_it));
    target.finish(now);
    return all;
}

}  // namespace db::portable
