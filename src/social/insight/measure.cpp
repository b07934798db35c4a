// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/insight/measure.hpp"

#include "base/text/host.hpp"
#include "social/accounts/remote/server_limits.hpp"
#include "social/insight/counted_days.hpp"
#include "social/insight/tag_servers.hpp"

#include <algorithm>
#include <map>

namespace insight {

namespace {

constexpr std::int64_t day_ms = 86'400'000;

}  // namespace

#define DAY_OF(ID) "(" ID " / 65536) / 86400000"
#define BETWEEN(ID) ID " >= $1 AND " ID " < $2 "

// By ranges of ids or times for each day from $1 to $2, counted in the index: grouping rows by day takes five
// times as long.
#define EACH_DAY(NAME, TABLE, COLUMN, A_DAY)                                                               \
    const db::Query<OfDay> NAME{                                                                           \
        #NAME,                                                                                             \
        "WITH RECURSIVE days(day) AS (SELECT CAST($1 AS BIGINT) UNION ALL SELECT day + 1 FROM days "       \
        "WHERE day < $2) SELECT day, (SELECT count(*) FROM " TABLE " r WHERE r." COLUMN " >= day * " A_DAY \
        " AND r." COLUMN " < (day + 1) * " A_DAY ") AS value FROM days"                                    \
    }
#define DAY_IN_IDS "5662310400000"
#define DAY_IN_MS "86400000"

// users, user_days, active_days, reports, tag_uses, status_tags, accounts, follows and statuses belong to their subjects.
const db::Query<OfDay> users_by_day{
    "users_by_day",
    "SELECT " DAY_OF("id") " AS day, count(*) AS value FROM users WHERE " BETWEEN("id"
    ) "GROUP BY " DAY_OF("id")
};
const db::Query<OfDay> active_by_day{
    "active_by_day",
    R"(SELECT day / 86400000 AS day, count(*) AS value FROM user_days WHERE day >= $1 AND day < $2 GROUP BY day)"
};
const db::Query<std::int64_t> active_between{
    "active_between", "SELECT count(DISTINCT user_id) FROM user_days WHERE day >= $1 AND day < $2"
};
// Whoever is here for the first time in a while was not here since its begin, so that each counts once however often they came.
const db::Query<std::int64_t> newly_active_between{
    "newly_active_between",
    R"(SELECT CAST(COALESCE(sum(people), 0) AS BIGINT) FROM active_days
       WHERE day >= $1 AND day < $2 AND seen_before < $1)"
};
const db::Query<OfDay> counted_active_by_day{
    "counted_active_by_day",
    R"(SELECT day / 86400000 AS day, CAST(sum(people) AS BIGINT) AS value FROM active_days
       WHERE day >= $1 AND day < $2 GROUP BY day)"
};
// Counting may have begun in the middle of the first day.
const db::Query<std::int64_t> first_active_day{
    "first_active_day", "SELECT day FROM active_days ORDER BY day, seen_before LIMIT 1"
};
EACH_DAY(reports_by_day, "reports", "id", DAY_IN_IDS);
EACH_DAY(resolutions_by_day, "reports", "action_taken_at", DAY_IN_MS);
const db::Query<OfDay> tag_accounts_by_day{
    "tag_accounts_by_day",
    R"(SELECT day / 86400000 AS day, count(*) AS value FROM tag_uses
       WHERE tag_id = $3 AND day >= $1 AND day < $2 GROUP BY day)"
};
const db::Query<OfDay> tag_uses_by_day{
    "tag_uses_by_day",
    R"(SELECT day / 86400000 AS day, CAST(sum(uses) AS BIGINT) AS value FROM tag_uses
       WHERE tag_id = $3 AND day >= $1 AND day < $2 GROUP BY day)"
};
const db::Query<std::int64_t> tag_accounts_between{
    "tag_accounts_between",
    "SELECT count(DISTINCT account_id) FROM tag_uses WHERE tag_id = $3 AND day >= $1 AND day < $2"
};

namespace {

using ByDay = std::map<std::int64_t, std::int64_t>;

template <class... A>
void add(
    db::Read& db, ByDay& to, const db::Query<OfDay>& sql, std::int64_t from, std::int64_t beyond,
    const A&... more
) {
    db.each(sql, [&](const OfDay& row) { to[row.day] += row.value; }, from, beyond, more...);
}

// By ids or by times of the days from `first` to `last`.
template <class... A>
void add_by_id(db::Read& db, ByDay& to, const db::Query<OfDay>& sql, const Days& d, const A&... more) {
    add(db, to, sql, first_id_of(d.first), first_id_of(d.last + 1), more...);
}
template <class... A>
void add_by_time(db::Read& db, ByDay& to, const db::Query<OfDay>& sql, const Days& d, const A&... more) {
    add(db, to, sql, d.first * day_ms, (d.last + 1) * day_ms, more...);
}

std::int64_t sum(const ByDay& of, std::int64_t first, std::int64_t beyond) {
    std::int64_t out = 0;
    for (auto at = of.lower_bound(first); at != of.end() && at->first < beyond; ++at) out += at->second;
    return out;
}

std::vector<DayValue> each_day(const ByDay& of, const Days& d) {
    std::vector<DayValue> out;
    for (auto day = d.first; day <= d.last; ++day) {
        auto found = of.find(day);
        out.push_back({{day * day_ms}, std::to_string(found == of.end() ? 0 : found->second)});
    }
    return out;
}

// Totals: the end day is part of the data, but of the total only with `with_end`.
void put_sums(Measure& out, const ByDay& of, const Days& d, bool with_end) {
    out.total = std::to_string(sum(of, d.first, d.last + (with_end ? 1 : 0)));
    out.previous_total = std::to_string(sum(of, d.first - d.length(), d.first + (with_end ? 1 : 0)));
    out.data = each_day(of, d);
}

ByDay additive(db::Read& db, std::string_view key, const Days& all, const About& about) {
    ByDay out;
    if (key == "new_users") add_by_id(db, out, users_by_day, all);
    if (key == "opened_reports") {
        constexpr std::int64_t last_of_ids =
            1'600'000;  // in the year 6350; beyond it no number is large enough
        const auto last = std::min(all.last, last_of_ids);
        add(db, out, reports_by_day, std::min(all.first, last), last);
    }
    if (key == "resolved_reports") add(db, out, resolutions_by_day, all.first, all.last);
    if (key == "tag_uses") add_by_time(db, out, tag_uses_by_day, all, about.tag);
    if (key == "interactions")
        for (const auto& row : acts_by_day(db, all.first, all.last + 1)) out[row.day] += row.value;
    return out;
}

// Whether activity has been recorded since that day.
bool is_counted(db::Read& db, std::int64_t day) {
    const auto first = db.maybe(first_active_day);
    return first && *first < day * day_ms;
}

std::int64_t distinct(
    db::Read& db, std::string_view key, std::int64_t first, std::int64_t beyond, const About& about
) {
    if (key == "active_users")
        return db.one(
            is_counted(db, first) ? newly_active_between : active_between, first * day_ms, beyond * day_ms
        );
    return db.one(tag_accounts_between, first * day_ms, beyond * day_ms, about.tag);
}

void put_distinct(db::Read& db, Measure& out, const Days& d, const About& about) {
    ByDay of;
    if (out.key == "active_users")
        add_by_time(db, of, is_counted(db, d.first) ? counted_active_by_day : active_by_day, d);
    else add_by_time(db, of, tag_accounts_by_day, d, about.tag);
    auto beyond = d.last + (out.key == "active_users" ? 0 : 1);
    out.total = std::to_string(distinct(db, out.key, d.first, beyond, about));
    out.previous_total =
        std::to_string(distinct(db, out.key, d.first - d.length(), beyond - d.length(), about));
    out.data = each_day(of, d);
}

void put_tag_servers(db::Read& db, Measure& out, const Days& d, const About& about) {
    const TagServers servers(db, about.tag, {d.first - d.length(), d.last});
    ByDay of;
    for (auto day = d.first; day <= d.last; ++day) of[day] = servers.on(day);
    out.total = std::to_string(servers.between(d.first, d.last + 1));
    out.previous_total = std::to_string(servers.between(d.first - d.length(), d.last + 1 - d.length()));
    out.data = each_day(of, d);
}

}  // namespace

// Other servers.

// One account after the other, because the domain is the most selective condition.
#define OF_DOMAINS "a.domain IN LIST($3) AND a.domain <> '' "
#define OF_SERVER(NAME, ID, FROM)                                                                    \
    const db::Query<OfDay> NAME##_by_day {                                                           \
        #NAME "_by_day", "SELECT " DAY_OF(ID) " AS day, count(*) AS value " FROM "WHERE " OF_DOMAINS \
                                              "AND " BETWEEN(ID) "GROUP BY " DAY_OF(ID)              \
    }
OF_SERVER(server_accounts, "a.id", "FROM accounts a ");
OF_SERVER(
    server_statuses, "s.id",
    "FROM accounts a JOIN statuses s ON s.account_id = a.id AND s.deleted_at IS NULL "
);
OF_SERVER(server_reports, "r.id", "FROM accounts a JOIN reports r ON r.target_id = a.id ");
OF_SERVER(server_follows, "f.id", "FROM accounts a JOIN follows f ON f.target_id = a.id ");
OF_SERVER(server_followers, "f.id", "FROM accounts a JOIN follows f ON f.account_id = a.id ");
// The tables media and remote_files belong to media: copies are identified by their original address.
const db::Query<OfDay> server_media_by_day{
    "server_media_by_day",
    "SELECT " DAY_OF("m.id"
    ) " AS day, CAST(sum(c.bytes) AS BIGINT) AS value "
      "FROM accounts a JOIN statuses s ON s.account_id = a.id JOIN media m ON m.status_id = s.id "
      "JOIN remote_files c ON c.url = m.file WHERE " OF_DOMAINS
      "AND " BETWEEN("+m.id") "GROUP BY " DAY_OF("m.id")
};

namespace {

constexpr std::pair<std::string_view, const db::Query<OfDay>*> of_servers[] = {
    {"instance_accounts", &server_accounts_by_day},
    {"instance_statuses", &server_statuses_by_day},
    {"instance_reports", &server_reports_by_day},
    {"instance_follows", &server_follows_by_day},
    {"instance_followers", &server_followers_by_day},
    {"instance_media_attachments", &server_media_by_day},
};

void put_server(db::Read& db, Measure& out, const Days& d, const db::Query<OfDay>& sql, const About& about) {
    ByDay of;
    if (auto domains = domains_meant(db, about); !domains.empty())
        add(db, of, sql, 0, std::numeric_limits<std::int64_t>::max(), domains);
    auto total = sum(of, 0, std::numeric_limits<std::int64_t>::max());
    out.total = std::to_string(total);
    out.data = each_day(of, d);
    if (out.key != "instance_media_attachments") return;
    out.unit = "bytes";
    out.human_value = human_bytes(total);
}

constexpr std::string_view of_this_site[] = {
    "active_users",
    "new_users",
    "interactions",
    "opened_reports",
    "resolved_reports",
    "tag_accounts",
    "tag_uses",
    "tag_servers"
};

}  // namespace

Days days_between(base::Time start, base::Time end) {
    constexpr std::int64_t longest = 731;
    auto last = end.midnight().ms / day_ms, first = start.midnight().ms / day_ms;
    return {std::max(first, last - longest), last};
}

std::vector<std::string> domains_meant(db::Read& db, const About& about) {
    auto domain = base::text::normalized_domain(about.domain);
    if (!domain) return {};
    std::vector<std::string> out{*domain};
    if (!about.include_subdomains) return out;
    for (auto next = accounts::next_domain_within(db, *domain, ""); next;
         next = accounts::next_domain_within(db, *domain, *next))
        if (*next != *domain) out.push_back(*next);
    return out;
}

std::string human_bytes(std::int64_t bytes) {
    constexpr std::string_view units[] = {"Bytes", "KB", "MB", "GB", "TB"};
    auto tenths = bytes * 10;
    std::size_t unit = 0;
    for (; tenths >= 10'240 && unit + 1 < std::size(units); ++unit) tenths /= 1024;
    auto text = std::to_string(tenths / 10);
    if (tenths % 10 != 0 && tenths < 1000) text += "." + std::to_string(tenths % 10);
    return text + " " + std::string(units[unit]);
}

bool is_measure(std::string_view key) {
    return std::ranges::find(of_this_site, key) != std::end(of_this_site) ||
           std::ranges::find(of_servers, key, [](const auto& one) { return one.first; }) !=
               std::end(of_servers);
}

Measure measure(db::Read& db, const std::string& key, const Days& d, const About& about) {
    Measure out{key};
    for (const auto& [name, sql] : of_servers)
        if (key == name) return put_server(db, out, d, *sql, about), out;
    if (key == "active_users" || key == "tag_accounts") return put_distinct(db, out, d, about), out;
    if (key == "tag_servers") return put_tag_servers(db, out, d, about), out;
    put_sums(out, additive(db, key, {d.first - d.length(), d.last}, about), d, key == "tag_uses");
    return out;
}

}  // namespace insight
