// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/relationships/severance.hpp"

namespace relationships {

const db::Query<Severance> severances_by_id{
    "severances_by_id",
    R"(SELECT id, type, purged, target_name, followers_count, following_count, created_at FROM severances
       WHERE id IN LIST($1))"
};

std::vector<Severance> severances(db::Read& db, const std::vector<SeveranceId>& ids) {
    if (ids.empty()) return {};
    return db.all(severances_by_id, ids);
}

const db::Command add_losses{
    "add_losses",
    R"(INSERT INTO severances (id, account_id, type, target_name, followers_count, following_count, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (id) DO UPDATE SET followers_count = severances.followers_count + excluded.followers_count,
           following_count = severances.following_count + excluded.following_count)"
};

void count_losses(
    db::Write& db, SeveranceId id, AccountId whose, SeveranceType type, std::string_view target_name,
    std::int64_t followers, std::int64_t following
) {
    if (followers + following > 0)
        db.run(add_losses, id, whose, type, target_name, followers, following, db.now());
}

}  // namespace relationships
