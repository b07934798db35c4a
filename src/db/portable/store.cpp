// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/portable/store.hpp"

#include <algorithm>
#include <map>

namespace db::portable {

namespace {

std::string where(const Table& table) { return table.only.empty() ? "" : " WHERE " + table.only; }

// Name, type, and position in the key, counted from 1; 0: not in the key.
std::string about(const std::string& table, bool postgres) {
    if (!postgres) return "SELECT name, type, pk FROM pragma_table_info('" + table + "') ORDER BY cid";
    return "SELECT a.attname, format_type(a.atttypid, NULL), "
           "coalesce(array_position(i.indkey::int2[], a.attnum) + 1, 0) FROM pg_attribute a "
           "LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary "
           "WHERE a.attrelid = to_regclass('" +
           table + "') AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum";
}

}  // namespace

std::optional<Table> Store::describe(const CarriedTable& carried) {
    Table table{carried.name, {}, {}, carried.only};
    std::map<int, std::string> key;
    for (const auto& row : ask(about(table.name, is_postgres()))) {
        table.columns.push_back({row.at(0), type_called(row.at(1))});
        if (const int place = std::stoi(row.at(2)); place > 0) key[place] = row.at(0);
    }
    if (table.columns.empty()) return std::nullopt;
    for (const auto& [place, name] : key) table.key.push_back(name);
    if (table.key.empty())
        throw Failure(table.name + " has no primary key, without which it cannot be copied");
    return table;
}

std::vector<Table> Store::tables() {
    std::vector<Table> all;
    for (const auto& carried : carried_tables())
        if (auto table = describe(carried)) all.push_back(*std::move(table));
    return all;
}

std::int64_t Store::count(const Table& table) {
    return std::stoll(ask("SELECT count(*) FROM " + table.name + where(table)).at(0).at(0));
}

std::string Store::ordered(const std::vector<Column>& key, const std::string& before) const {
    std::string all;
    for (const auto& column : key) {
        all += (all.empty() ? " ORDER BY " : ", ") + listed({column.name}, before);
        if (is_postgres() && column.type == Type::text) all += " COLLATE \"C\"";
    }
    return all;
}

void Store::read(const Table& table, const Take& take) {
    read(
        "SELECT " + listed(names_of(table.columns)) + " FROM " + table.name + where(table) +
            ordered(key_columns(table)),
        table.columns,
        take
    );
}

std::unique_ptr<Store> open_store(const Options& options, Mode mode) {
    return options.postgres() ? open_postgres_store(options.postgres_url) : open_sqlite_store(options, mode);
}

}  // namespace db::portable
