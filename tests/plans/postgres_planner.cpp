// SPDX-License-Identifier: AGPL-3.0-or-later
#include "plans/planner.hpp"

#include <libpq-fe.h>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>

namespace plans {

namespace {

using Row = std::vector<std::string>;
using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;

class PostgresPlanner final : public Planner {
public:
    explicit PostgresPlanner(const std::string& url) : db_(PQconnectdb(url.c_str())) {
        if (PQstatus(db_) != CONNECTION_OK) throw std::runtime_error(PQerrorMessage(db_));
        ask("SET session_replication_role = replica");  // no foreign keys
        for (auto& row :
             ask("SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns "
                 "WHERE table_schema = 'public' ORDER BY table_name, ordinal_position"))
            tables_[row[0]].push_back({row[1], row[2], row[3] == "NO"});
        for (auto& row : ask("SELECT i.relname, t.relname, pg_get_indexdef(x.indexrelid, 1, FALSE) "
                             "FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON "
                             "t.oid = x.indrelid "
                             "WHERE t.relnamespace = 'public'::regnamespace"))
            indexes_[row[0]] = {row[1], as_in_plans(row[2])};
    }
    ~PostgresPlanner() override { PQfinish(db_); }

    void seed() override {
        ask("BEGIN");
        for (const auto& [table, columns] : tables_) ask(fill(table, columns));
        ask("COMMIT");
    }

    // PostgreSQL multiplies how many rows a page has, as it was when it looked, with the pages there are: so some thousand
    // rows count for a million.
    void analyse() override {
        ask("ANALYZE");
        std::string names;
        for (const auto& [table, columns] : tables_)
            if (!small(table)) names += (names.empty() ? "'" : ", '") + table + "'";
        ask("UPDATE pg_class SET reltuples = reltuples * 500 WHERE oid IN (SELECT oid FROM pg_class WHERE "
            "relname IN (" +
            names +
            ") UNION ALL SELECT indexrelid FROM pg_index JOIN pg_class t ON t.oid = indrelid WHERE t.relname "
            "IN (" +
            names + "))");
    }

    // A connection plans a statement for its values five times, and then for any values where that costs no more.
    std::vector<Walk> walks(const db::Sql& sql) override {
        if (!sql.postgres) return {};
        const std::string name = "s" + std::to_string(sql.number);
        checked(PQprepare(db_, name.c_str(), sql.postgres, 0, nullptr));
        const auto described = checked(PQdescribePrepared(db_, name.c_str()));
        std::string run = "EXPLAIN EXECUTE " + name;
        for (int i = 0; i < PQnparams(described.get()); ++i)
            run += (i ? ", " : " (") + sample(PQparamtype(described.get(), i), sql.postgres, i + 1);
        if (PQnparams(described.get())) run += ")";
        const auto own = ask("SET plan_cache_mode = force_custom_plan; " + run);
        const auto general = ask("SET plan_cache_mode = force_generic_plan; " + run);
        auto found = judged(own);
        if (cost(general) <= cost(own) + cost_of_planning)
            for (auto& walk : judged(general)) found.push_back(std::move(walk));
        ask("DEALLOCATE " + name);
        return found;
    }

private:
    struct Index {
        std::string table, leading;  // what it is sorted by first
    };

    // An expression stands in several lines and in parentheses there, but not in the plan.
    static std::string as_in_plans(const std::string& definition) {
        static const std::regex space(R"(\s+)"), parentheses(R"(^ ?\( ?(.*)\)$)");
        return std::regex_replace(std::regex_replace(definition, space, " "), parentheses, "$1");
    }

    static constexpr double cost_of_planning = 25;  // about what PostgreSQL takes it for
    static double cost(const std::vector<Row>& plan) {
        return std::stod(plan.at(0)[0].substr(plan[0][0].find("..") + 2));
    }

    static std::string sample(Oid type, const std::string& text, int number) {
        const std::string it = R"(\s*(CAST\(|coalesce\()?\$)" + std::to_string(number) + "\\b";
        const std::regex limit(R"(LIMIT\s*(\(SELECT )?)" + it), above(R"((id >=?|BETWEEN))" + it);
        const std::regex below(R"((id <=?|BETWEEN \$\d+ AND))" + it), age("_at <=?" + it);
        const std::regex json(R"(\$)" + std::to_string(number) + R"(\b( AS TEXT\))?( AS |::)JSON)");
        const std::regex nothing(R"(\$)" + std::to_string(number) + R"( AS BIGINT\) = 0)");
        if (std::regex_search(text, limit)) return "20";
        if (std::regex_search(text, nothing)) return "0";
        if (std::regex_search(text, json)) return "'[]'";
        switch (type) {
            case 16: return "TRUE";
            case 17: return "''";
            case 20:
            case 23:
                return std::regex_search(text, above) || std::regex_search(text, age) ? "100"
                       : std::regex_search(text, below)                               ? "1900"
                                                                                      : "1000";
            case 25: return "'x7'";
            case 701: return "0.5";
            case 1009: return "'{x7,x8,x9}'";
            case 1016: return "'{1,2,3,5,8,13,21,34,55,89}'";
        }
        return "NULL";
    }

    std::vector<Walk> judged(const std::vector<Row>& plan) const {
        static const std::regex scan(R"((Seq|Sample) Scan on (\w+))");
        static const std::regex by_index(
            R"((?:Index Scan|Index Only Scan)(?: Backward)? using (\w+) on (\w+))"
        );
        static const std::regex bitmap(R"(Bitmap Index Scan on (\w+))");
        std::vector<Walk> found;
        for (std::size_t i = 0; i < plan.size(); ++i) {
            const auto line = plan[i][0].substr(0, plan[i][0].find("  (cost"));
            std::smatch parts;
            if (std::regex_search(line, parts, scan)) {
                if (tables_.contains(parts[2])) found.push_back({parts[2], line});
            } else if (std::regex_search(line, parts, by_index) || std::regex_search(line, parts, bitmap)) {
                const auto next = i + 1 < plan.size() ? plan[i + 1][0] : "";
                const auto at = next.find("Index Cond: ");
                const auto known = indexes_.find(parts[1]);
                if (known == indexes_.end()) continue;  // of a table of PostgreSQL's own
                const auto& index = known->second;
                if (walks_through(index, at == next.npos ? "" : next.substr(at + 12)))
                    found.push_back({index.table, line + (at == next.npos ? "" : " " + next.substr(at))});
            }
        }
        return found;
    }

    static bool walks_through(const Index& index, const std::string& condition) {
        if (condition.empty()) return true;
        for (auto at = condition.find(index.leading); at != condition.npos;
             at = condition.find(index.leading, at + 1)) {
            if (at && (std::isalnum(condition[at - 1]) || condition[at - 1] == '_')) continue;
            auto rest = condition.substr(at + index.leading.size());
            rest.erase(0, rest.find_first_not_of(")"));
            if (rest.starts_with("::text")) rest.erase(0, 6);
            if (rest.starts_with(" = ") || rest.starts_with(" IS NULL") || rest.starts_with(" @@ "))
                return false;
        }
        return true;
    }

    static Result checked(PGresult* result) {
        Result held(result, PQclear);
        const auto state = PQresultStatus(result);
        if (state != PGRES_COMMAND_OK && state != PGRES_TUPLES_OK)
            throw std::runtime_error(PQresultErrorMessage(result));
        return held;
    }
    std::vector<Row> ask(const std::string& text) const {
        const auto result = checked(PQexec(db_, text.c_str()));
        std::vector<Row> rows;
        for (int r = 0; r < PQntuples(result.get()); ++r) {
            auto& row = rows.emplace_back();
            for (int c = 0; c < PQnfields(result.get()); ++c)
                row.emplace_back(PQgetvalue(result.get(), r, c));
        }
        return rows;
    }

    PGconn* db_;
    std::map<std::string, std::vector<Column>> tables_;
    std::map<std::string, Index> indexes_;
};

}  // namespace

std::unique_ptr<Planner> postgres_planner(const support::TestDatabase& database) {
    return std::make_unique<PostgresPlanner>(database.options.postgres_url);
}

}  // namespace plans
