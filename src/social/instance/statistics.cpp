// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/activity.hpp"

#include "base/json_read.hpp"
#include "social/instance/settings.hpp"

namespace instance {

// Local statuses are the sum of the counts of accounts with a login: nothing is left of deleted accounts.
// Servers are counted by skipping from one domain to the next. The tables users and accounts belong to
// accounts.
const db::Query<Statistics> count_site{
    "count_site",
    R"(WITH RECURSIVE servers(domain) AS (
           SELECT (SELECT min(a.domain) FROM accounts a WHERE a.domain <> '' AND a.domain > '')
           UNION ALL
           SELECT (SELECT min(a.domain) FROM accounts a WHERE a.domain <> '' AND a.domain > s.domain)
           FROM servers s WHERE s.domain IS NOT NULL)
       SELECT count(u.confirmed_at) AS users, CAST(COALESCE(sum((SELECT a.statuses_count FROM accounts a WHERE a.id = u.account_id)), 0) AS BIGINT) AS statuses,
           (SELECT count(s.domain) FROM servers s) AS domains,
           count(CASE WHEN u.last_active_at > $1 THEN 1 END) AS active_month,
           count(CASE WHEN u.last_active_at > $2 THEN 1 END) AS active_halfyear
       FROM users u)"
};

Statistics statistics(db::Read& db) {
    auto kept = setting(db, "statistics");
    return kept ? base::json::read<Statistics>(*kept) : Statistics{};
}

jobs::Change count_everything(db::Read& db) {
    constexpr std::int64_t month_seconds = 30 * 86'400, halfyear_seconds = 180 * 86'400;
    auto counted =
        db.one(count_site, db.now().plus_seconds(-month_seconds), db.now().plus_seconds(-halfyear_seconds));
    auto text = base::json::to_string(counted);
    if (setting(db, "statistics") == text) return {};
    return [text = std::move(text)](db::Write& write) { set_setting(write, "statistics", text); };
}

}  // namespace instance
