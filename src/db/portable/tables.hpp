// SPDX-License-Identifier: AGPL-3.0-or-later
// What of a database is copied to another engine or into a portable dump, table by table. A test fails when a
// table is missing from all these lists.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace db::portable {

struct CarriedTable {
    const char* name;
    const char* only = "";  // a condition on its rows; empty: all
};
// In the order in which they are written: referenced tables come first.
std::span<const CarriedTable> carried_tables();

struct LeftTable {
    const char *name, *why;
};
// Rebuilt from the others by jobs that the copy is given.
std::span<const LeftTable> derived_tables();
// Useless elsewhere.
std::span<const LeftTable> left_tables();

enum class Type { bigint, text, bytea, boolean, real };

struct Column {
    std::string name;
    Type type = Type::text;
};

// A table as one particular database has it.
struct Table {
    std::string name;
    std::vector<Column> columns;
    std::vector<std::string> key;  // names of columns
    std::string only;
};

std::string_view word_of(Type);           // PostgreSQL's name
Type type_called(std::string_view word);  // from either engine's name; throws Failure

// Quoted names for a statement; `before` is put in front of each: "m." gives m."a", m."b".
std::string listed(const std::vector<std::string>& names, const std::string& before = "");
std::vector<std::string> names_of(const std::vector<Column>&);
std::vector<Column> key_columns(const Table&);

}  // namespace db::portable
