// SPDX-License-Identifier: AGPL-3.0-or-later
// No statement of the program may walk through a table that grows with the site, whatever is in it.
#include "plans/plan_exceptions.hpp"
#include "plans/planner.hpp"

#include <algorithm>

namespace {

struct Line {
    std::string statement, table, plan;
};

struct Plans : support::OnEachMigratedDatabase {
    std::unique_ptr<plans::Planner> planner() {
        db::migrate(*database.connection(), {1000});
        return database.is_postgres() ? plans::postgres_planner(database) : plans::sqlite_planner(database);
    }
    static void look(plans::Planner& planner, std::vector<Line>& found) {
        for (auto sql = db::Sql::all(); sql; sql = sql->next) {
            if (std::string_view(sql->name).starts_with("test_")) continue;
            try {
                for (const auto& walk : planner.walks(*sql))
                    if (!plans::small(walk.table)) found.push_back({sql->name, walk.table, walk.line});
            } catch (const std::exception& e) {
                ADD_FAILURE() << sql->name << ": " << e.what();
            }
        }
    }
    std::vector<plans::Exception> exceptions() const {
        std::vector<plans::Exception> here;
        for (const auto& one : plans::exceptions())
            if (one.on == plans::On::both || (one.on != plans::On::sqlite) == database.is_postgres())
                here.push_back(one);
        return here;
    }
    // Of the command line only what tests call is in every build of them.
    static bool is_there(std::string_view statement) {
        for (auto sql = db::Sql::all(); sql; sql = sql->next)
            if (sql->name == statement) return true;
        return false;
    }
    static bool allows(const plans::Exception& one, const Line& line) {
        return one.statement == line.statement && one.table == line.table &&
               line.plan.find(one.by) != std::string::npos;
    }
};
ON_EACH_DATABASE(Plans);

TEST_P(Plans, walk_through_no_large_table_but_for_a_reason) {
    const auto asked = planner();
    std::vector<Line> found;
    if (!database.is_postgres()) look(*asked, found);  // a site of SQLite may never be analysed
    asked->seed();
    asked->analyse();
    look(*asked, found);
    const auto allowed = exceptions();
    for (const auto& line : found)
        EXPECT_TRUE(std::ranges::any_of(allowed, [&](const auto& one) { return allows(one, line); }))
            << line.statement << " walks through " << line.table << ": " << line.plan;
    for (const auto& one : allowed)
        if (one.on != plans::On::postgres_by_sample && is_there(one.statement))
            EXPECT_TRUE(std::ranges::any_of(found, [&](const auto& line) { return allows(one, line); }))
                << one.statement << " does not walk through " << one.table
                << " any more: no exception is needed";
}

}  // namespace
