// SPDX-License-Identifier: AGPL-3.0-or-later
// What lists need to know of accounts. On SQLite a reader caches it until the next commit by anybody
// (docs/decisions/0033-facts-are-kept.md).
#pragma once
#include "base/id_map.hpp"
#include "db/session.hpp"

#include <memory>

namespace accounts {

struct Standing {
    base::AccountId id;
    std::int64_t version = 0;  // the key of the cache of rendered accounts
    bool suspended = false;
};
DESCRIBE(Standing, id, version, suspended)

using Standings = base::IdMap<base::AccountId, Standing>;

// Contains at least those of the given accounts that exist; at most one query.
std::shared_ptr<const Standings> standings(db::Read&, const std::vector<base::AccountId>&);
void expect_standings(db::Read&, const std::vector<base::AccountId>&);  // db::Read::expect

}  // namespace accounts
