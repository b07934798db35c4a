// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/standing.hpp"

namespace accounts {

#define STANDING "SELECT a.id, a.version, a.suspended_at IS NOT NULL AS suspended FROM "

// On SQLite the list drives the join: IN would first copy it into a temporary table.
const db::Query<Standing> account_standings{
    "account_standings",
    STANDING "list($1) j CROSS JOIN accounts a ON a.id = j.value",
    STANDING "accounts a WHERE a.id = ANY((SELECT $1::bigint[])::bigint[])"
};

std::shared_ptr<const Standings> standings(db::Read& db, const std::vector<base::AccountId>& ids) {
    constexpr std::size_t most = 10'000;
    auto kept = db.memoized("standings", [] { return std::make_shared<Standings>(); });
    if (kept->size() > most) *kept = {};
    std::vector<base::AccountId> unknown;
    for (auto id : ids)
        if (!kept->contains(id)) unknown.push_back(id);
    if (!unknown.empty())
        db.each(account_standings, [&](const Standing& one) { kept->emplace(one.id, one); }, unknown);
    return kept;
}

void expect_standings(db::Read& db, const std::vector<base::AccountId>& ids) {
    if (!ids.empty()) db.expect(account_standings, ids);
}

}  // namespace accounts
