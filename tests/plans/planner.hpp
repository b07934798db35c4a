// SPDX-License-Identifier: AGPL-3.0-or-later
// Asks an engine how it would run a statement, and finds the tables that it would walk through: read from one end, or along
// their primary key, past any number of rows that are not wanted.
#pragma once
#include "db/sql.hpp"
#include "plans/plan_seed.hpp"
#include "support/database.hpp"

#include <memory>
#include <string>
#include <vector>

namespace plans {

struct Walk {
    std::string table;
    std::string line;  // of the plan
};

class Planner {
public:
    virtual ~Planner() = default;
    // Walks through small tables, too. Throws std::runtime_error where the engine refuses the statement.
    virtual std::vector<Walk> walks(const db::Sql&) = 0;
    virtual void seed() = 0;     // every table
    virtual void analyse() = 0;  // what was seeded
};

std::unique_ptr<Planner> sqlite_planner(const support::TestDatabase&);
std::unique_ptr<Planner> postgres_planner(const support::TestDatabase&);

}  // namespace plans
