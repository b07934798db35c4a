// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/statistics.hpp"

#include "base/json_read.hpp"
#include "social/instance/settings.hpp"

namespace instance {

// Local statuses are the sum of what the local accounts count. users and accounts belong to accounts.
const db::Query<Statistics> count_site{
    "count_site",
    R"(SELECT (SELECT count(*) FROM users WHERE confirmed_at IS NOT NULL) AS users,
              (SELECT COALESCE(sum(statuses_count), 0) FROM accounts WHERE domain = '') AS statuses,
              (SELECT count(DISTINCT domain) FROM accounts WHERE domain <> '') AS domains,
              (SELECT count(*) FROM users WHERE last_active_at > $1) AS active_month,
              (SELECT count(*) FROM users WHERE last_active_at > $2) AS active_halfyear)",
    R"(SELECT (SELECT count(*) FROM users WHERE confirmed_at IS NOT NULL) AS users,
              (SELECT COALESCE(sum(statuses_count), 0)::bigint FROM accounts WHERE domain = '') AS statuses,
              (SELECT count(DISTINCT domain) FROM accounts WHERE domain <> '') AS domains,
              (SELECT count(*) FROM users WHERE last_active_at > $1) AS active_month,
              (SELECT count(*) FROM users WHERE last_active_at > $2) AS active_halfyear)"
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
