// SPDX-License-Identifier: AGPL-3.0-or-later
// What lists ask of the people behind their ids. A reader on SQLite keeps what it has read of them until anybody commits
// anything (docs/decisions/0033-facts-are-kept.md).
#pragma once
#include "base/id_map.hpp"
#include "db/session.hpp"

#include <memory>

namespace accounts {

struct Standing {
    base::AccountId id;
    std::int64_t version = 0;  // the key to what is rendered
    bool suspended = false;
};
DESCRIBE(Standing, id, version, suspended)

using Standings = base::IdMap<base::AccountId, Standing>;

// With at least those of these that exist; one query at most.
std::shared_ptr<const Standings> standings(db::Read&, const std::vector<base::AccountId>&);
void expect_standings(db::Read&, const std::vector<base::AccountId>&);  // db::Read::expect

}  // namespace accounts
