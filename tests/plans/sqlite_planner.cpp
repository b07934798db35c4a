// SPDX-License-Identifier: AGPL-3.0-or-later
#include "plans/planner.hpp"

#include "db/sqlite_statement.hpp"
#include "sqlite3.h"

#include <map>
#include <regex>
#include <set>
#include <stdexcept>

namespace plans {

namespace {

using Row = std::vector<std::string>;

class SqlitePlanner final : public Planner {
public:
    explicit SqlitePlanner(const std::string& file) {
        if (sqlite3_open(file.c_str(), &db_) != SQLITE_OK) throw std::runtime_error("cannot open " + file);
        constexpr unsigned bloom_filter = 0x00080000;  // off, as on every connection of the program
        sqlite3_test_control(SQLITE_TESTCTRL_OPTIMIZATIONS, db_, bloom_filter);
        sqlite3_db_config(db_, SQLITE_DBCONFIG_ENABLE_QPSG, 1, nullptr);  // and these on
        db::add_lists(db_);
        run("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF");
        for (auto& row :
             ask("SELECT t.name FROM pragma_table_list t WHERE t.schema = 'main' AND t.type = 'table' "
                 "AND t.name NOT LIKE 'sqlite_%'"))
            tables_[row[0]];
        for (auto& row : ask("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'"))
            shadows_.insert(row[0]);
        for (auto& [table, columns] : tables_)
            for (auto& row :
                 ask("SELECT name, lower(type), \"notnull\" OR pk > 0 FROM pragma_table_info('" + table + "')"
                 ))
                columns.push_back({row[0], row[1], row[2] == "1"});
    }
    ~SqlitePlanner() override { sqlite3_close_v2(db_); }

    void seed() override {
        run("BEGIN");
        for (const auto& [table, columns] : tables_) run(fill(table, columns));
        run("COMMIT");
    }
    void analyse() override { run("ANALYZE"); }

    std::vector<Walk> walks(const db::Sql& sql) override {
        if (!sql.sqlite) return {};
        const auto names = names_in(sql.sqlite);
        std::vector<Walk> found;
        for (const auto& row : ask("EXPLAIN QUERY PLAN " + std::string(sql.sqlite)))
            judge(row[3], names, sql.sqlite, found);
        return found;
    }

private:
    // The tables that a name in the statement stands for; more than one where parts of it use the same name.
    using Names = std::map<std::string, std::set<std::string>>;

    Names names_in(const std::string& text) const {
        static const std::regex word(R"([A-Za-z_][A-Za-z_0-9]*|[^\sA-Za-z_])");
        static const std::set<std::string> before{"FROM", "JOIN", "UPDATE", "INTO", ","};
        std::vector<std::string> tokens;
        for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it)
            tokens.push_back(it->str());
        // Parts of the statement that have a name; what they read stands in other lines.
        static const std::regex part(R"((\w+)\s*(\([^()]*\))?\s+AS\s+((NOT\s+)?MATERIALIZED\s+)?\()");
        std::set<std::string> parts;
        for (std::sregex_iterator it(text.begin(), text.end(), part), end; it != end; ++it)
            parts.insert((*it)[1]);
        Names names;
        for (std::size_t i = 1; i < tokens.size(); ++i) {
            const bool table = tables_.contains(tokens[i]) || shadows_.contains(tokens[i]);
            if (!before.contains(tokens[i - 1]) || !(table || parts.contains(tokens[i]))) continue;
            auto alias = i + 1;
            if (alias < tokens.size() && tokens[alias] == "AS") ++alias;
            for (const auto& name : {tokens[i], alias < tokens.size() ? tokens[alias] : tokens[i]})
                if (auto& stands_for = names[name]; table) stands_for.insert(tokens[i]);
        }
        return names;
    }

    void judge(const std::string& line, const Names& names, const std::string& text, std::vector<Walk>& found)
        const {
        static const std::regex shape(R"((SCAN|SEARCH) (\S+)( .*)?)");
        std::smatch parts;
        if (!std::regex_match(line, parts, shape)) return;
        const std::string name = parts[2], rest = parts[3];
        if (line.find("VIRTUAL TABLE") != line.npos || name == "CONSTANT" || name.starts_with('(')) return;
        const auto known = names.find(name);
        if (known == names.end()) {
            const std::regex part(R"(\)\s*(AS\s+)?)" + name + "\\b");  // of a part without a name
            if (!std::regex_search(text, part)) throw std::runtime_error("what is " + name + "? " + line);
            return;
        }
        for (const auto& table : known->second)
            if (parts[1] == "SCAN" || walks_through(rest)) found.push_back({table, line});
    }

    static bool walks_through(const std::string& how) {
        if (how.find(" AUTOMATIC ") != how.npos || how.find("ANY(") != how.npos) return true;
        const auto open = how.find(" (");  // min() and max() look at one row and have none
        return open != how.npos && how.find("=?", open) == how.npos;
    }

    void run(const std::string& statements) {
        if (sqlite3_exec(db_, statements.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
            throw std::runtime_error(statements.substr(0, 200) + ": " + sqlite3_errmsg(db_));
    }
    std::vector<Row> ask(const std::string& text) const {
        std::vector<Row> rows;
        const auto add = [](void* to, int count, char** values, char**) {
            auto& row = static_cast<std::vector<Row>*>(to)->emplace_back();
            for (int i = 0; i < count; ++i) row.emplace_back(values[i] ? values[i] : "");
            return 0;
        };
        if (sqlite3_exec(db_, text.c_str(), add, &rows, nullptr) != SQLITE_OK)
            throw std::runtime_error(sqlite3_errmsg(db_));
        return rows;
    }

    sqlite3* db_ = nullptr;
    std::map<std::string, std::vector<Column>> tables_;
    std::set<std::string> shadows_;  // of FTS5, which fills them
};

}  // namespace

std::unique_ptr<Planner> sqlite_planner(const support::TestDatabase& database) {
    return std::make_unique<SqlitePlanner>(database.options.sqlite_file);
}

}  // namespace plans
