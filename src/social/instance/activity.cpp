// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/activity.hpp"

#include "base/json_read.hpp"
#include "social/instance/domain_block.hpp"
#include "social/instance/settings.hpp"

#include <algorithm>

namespace instance {

namespace {

constexpr std::int64_t week_seconds = 7 * 86'400, weeks_told = 12;

// 1970 began on a Thursday.
std::int64_t week_of(base::Time now) {
    auto seconds = now.ms / 1000;
    return seconds - (seconds + 3 * 86'400) % week_seconds;
}

// Ids are milliseconds << 16; none of the week is smaller.
std::int64_t first_id(std::int64_t seconds) { return (seconds * 1000) << 16; }

}  // namespace

// The tables statuses, users and accounts belong to the subjects of those names.
const db::Query<WeekRow> count_week{
    "count_week",
    R"(SELECT CAST($1 AS BIGINT) AS week,
           (SELECT count(*) FROM statuses WHERE id >= $2 AND created_at >= $3 AND created_at < $4
               AND local = TRUE AND reblog_of_id IS NULL) AS statuses,
           count(CASE WHEN last_active_at >= $3 AND last_active_at < $4 THEN 1 END) AS logins,
           count(CASE WHEN created_at >= $3 AND created_at < $4 THEN 1 END) AS registrations
       FROM users)"
};
// Activity in a past week can no longer be computed, so that count only increases.
const db::Command put_week{
    "put_week",
    R"(INSERT INTO activity_weeks (week, statuses, logins, registrations) VALUES ($1, $2, $3, $4)
       ON CONFLICT (week) DO UPDATE SET statuses = excluded.statuses,
           logins = max(activity_weeks.logins, excluded.logins), registrations = excluded.registrations)",
    R"(INSERT INTO activity_weeks (week, statuses, logins, registrations) VALUES ($1, $2, $3, $4)
       ON CONFLICT (week) DO UPDATE SET statuses = excluded.statuses,
           logins = greatest(activity_weeks.logins, excluded.logins), registrations = excluded.registrations)"
};
const db::Query<WeekRow> weeks_since{
    "weeks_since",
    "SELECT week, statuses, logins, registrations FROM activity_weeks WHERE week > $1 ORDER BY week DESC"
};

jobs::Change count_activity(db::Read& db) {
    std::vector<WeekRow> weeks;
    auto count = [&](std::int64_t week) {
        auto end = week + week_seconds;
        weeks.push_back(db.one(count_week, week, first_id(week), week * 1000, end * 1000));
    };
    auto week = week_of(db.now());
    // The last hours of a week are counted in the first hours of the next.
    if (db.now().ms / 1000 - week < 86'400) count(week - week_seconds);
    count(week);
    return [weeks = std::move(weeks)](db::Write& write) {
        for (const auto& row : weeks)
            write.run(put_week, row.week, row.statuses, row.logins, row.registrations);
    };
}

std::vector<WeekRow> activity(db::Read& db) {
    auto newest = week_of(db.now());
    auto rows = db.all(weeks_since, newest - weeks_told * week_seconds);
    std::vector<WeekRow> out;
    for (std::int64_t i = 0; i < weeks_told; ++i) {
        auto week = newest - i * week_seconds;
        auto found = std::ranges::find(rows, week, &WeekRow::week);
        out.push_back(found == rows.end() ? WeekRow{week} : *found);
    }
    return out;
}

const db::Query<std::string> domains_of_accounts{
    "domains_of_accounts",
    "SELECT domain FROM accounts WHERE domain <> '' GROUP BY domain ORDER BY count(*) DESC, domain"
};

jobs::Change list_peers(db::Read& db) {
    auto text = base::json::to_string(db.all(domains_of_accounts));
    if (setting(db, "peers") == text) return {};
    return [text = std::move(text)](db::Write& write) { set_setting(write, "peers", text); };
}

std::vector<std::string> peers(db::Read& db) {
    auto kept = setting(db, "peers");
    auto all = kept ? base::json::read<std::vector<std::string>>(*kept) : std::vector<std::string>();
    auto blocked = blocked_domains(db);
    std::erase_if(all, [&](const std::string& domain) { return blocked.contains(domain); });
    return all;
}

std::vector<std::string> peers_like(db::Read& db, std::string_view begin) {
    constexpr std::size_t most = 10;
    auto all = peers(db);
    std::erase_if(all, [&](const std::string& domain) { return !domain.starts_with(begin); });
    if (all.size() > most) all.resize(most);
    return all;
}

bool tells_peers(db::Read& db) { return setting(db, "peers_api_enabled").value_or("true") == "true"; }
bool tells_activity(db::Read& db) { return setting(db, "activity_api_enabled").value_or("true") == "true"; }

}  // namespace instance
