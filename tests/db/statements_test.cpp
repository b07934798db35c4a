// SPDX-License-Identifier: AGPL-3.0-or-later
// Prepares every statement of the program over the real schema, on both engines.
#include "support/database.hpp"

#include <set>

namespace {

struct Statements : support::OnEachDatabase {
    static std::vector<const db::Sql*> ours() {
        std::vector<const db::Sql*> found;
        for (auto sql = db::Sql::all(); sql; sql = sql->next)
            if (!std::string_view(sql->name).starts_with("test_")) found.push_back(sql);
        return found;
    }
};
ON_EACH_DATABASE(Statements);

TEST_P(Statements, fit_the_schema_and_the_members_of_their_rows) {
    auto connection = database.connection();
    db::migrate(*connection, {1000});
    for (const auto* sql : ours()) {
        std::vector<std::string> columns;
        try {
            columns = connection->columns(*sql);
        } catch (const std::exception& e) {
            ADD_FAILURE() << sql->name << ": " << e.what();
            connection = database.connection();
            continue;
        }
        if (!sql->columns) {
            EXPECT_LE(columns.size(), 1u) << sql->name;
            continue;
        }
        std::vector<std::string_view> members;
        sql->columns(members);
        EXPECT_EQ(columns, std::vector<std::string>(members.begin(), members.end())) << sql->name;
    }
}

TEST_P(Statements, have_names_of_their_own) {
    std::set<std::string_view> names;
    for (const auto* sql : ours()) EXPECT_TRUE(names.insert(sql->name).second) << sql->name;
}

TEST_P(Statements, find_the_schema_up_to_date_the_second_time) {
    auto connection = database.connection();
    db::migrate(*connection, {1000});
    EXPECT_TRUE(db::migrate(*connection, {2000}).empty());
}

}  // namespace
