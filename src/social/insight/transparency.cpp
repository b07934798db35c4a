// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/insight/transparency.hpp"

#include "base/text/csv.hpp"
#include "social/moderation/audit.hpp"

namespace insight {

#define BETWEEN(ID) ID " >= $1 AND " ID " < $2 "

// The tables reports, accounts, strikes, appeals, rule_hits and audit_entries belong to their subjects.
const db::Query<CountedReports> reports_by_category{
    "reports_by_category",
    R"(SELECT category, sender, count(*) AS count FROM (
           SELECT r.category, CASE WHEN (SELECT a.domain FROM accounts a WHERE a.id = r.account_id) = ''
               THEN 'here' ELSE 'elsewhere' END AS sender
           FROM reports r WHERE )" BETWEEN("r.created_at"
    ) R"() sent GROUP BY category, sender ORDER BY category, sender)"
};
const db::Query<std::int64_t> reports_resolved_between{
    "reports_resolved_between",
    R"(SELECT count(*) FROM reports
       WHERE action_taken_at IS NOT NULL AND action_taken_at >= $1 AND action_taken_at < $2)"
};
const db::Query<std::int64_t> report_time_at{
    "report_time_at",
    R"(SELECT action_taken_at - created_at FROM reports
       WHERE action_taken_at IS NOT NULL AND action_taken_at >= $1 AND action_taken_at < $2
       ORDER BY action_taken_at - created_at LIMIT 1 OFFSET $3)"
};
const db::Query<CountedActs> strikes_by_ground{
    "strikes_by_ground",
    R"(SELECT action, CASE WHEN ground = '' THEN 'own_initiative' ELSE ground END AS ground, count(*) AS count
       FROM strikes WHERE )" BETWEEN("created_at") "GROUP BY action, strikes.ground ORDER BY action, 2"
};
const db::Query<std::int64_t> strikes_overruled{
    "strikes_overruled",
    "SELECT count(*) FROM strikes WHERE overruled_at IS NOT NULL AND " BETWEEN("created_at")
};
const db::Query<std::int64_t> strikes_automated{
    "strikes_automated", "SELECT count(*) FROM strikes WHERE automated = TRUE AND " BETWEEN("created_at")
};
struct ByRules {
    std::int64_t marked = 0, refused = 0, held = 0;
};
DESCRIBE(ByRules, marked, refused, held)
const db::Query<ByRules> done_by_rules{
    "done_by_rules",
    R"(SELECT count(DISTINCT CASE WHEN refused = FALSE AND held_id = 0 AND (actions LIKE '%"cw"%'
                  OR actions LIKE '%"sensitive"%' OR actions LIKE '%"unlist"%') THEN status_id END) AS marked,
              coalesce(sum(CASE WHEN refused = TRUE THEN 1 ELSE 0 END), 0) AS refused,
              count(DISTINCT CASE WHEN refused = FALSE AND held_id <> 0 THEN held_id END) AS held
       FROM rule_hits WHERE acted = TRUE AND undone_at IS NULL AND )" BETWEEN("id")
};
const db::Query<CountedAppeals> appeals_by_outcome{
    "appeals_by_outcome",
    "SELECT state, count(*) AS count FROM appeals WHERE " BETWEEN("created_at"
    ) "GROUP BY state ORDER BY state"
};
const db::Query<std::int64_t> appeal_times{
    "appeal_times",
    "SELECT decided_at - created_at FROM appeals WHERE decided_at IS NOT NULL AND " BETWEEN("created_at"
    ) "ORDER BY decided_at - created_at"
};
const db::Query<CountedEntries> log_by_act{
    "log_by_act",
    R"(SELECT action, target_kind AS target, count(*) AS count FROM audit_entries WHERE id >= $1 AND id < $2
       GROUP BY action, target_kind ORDER BY target_kind, action)"
};
const db::Query<std::int64_t> time_of_audit_entry{
    "time_of_audit_entry", "SELECT at FROM audit_entries WHERE id = $1"
};

namespace {

std::int64_t hours(std::int64_t ms) { return (ms + 1'800'000) / 3'600'000; }

// The id of the first log entry from that time on: ids are consecutive, in chronological order.
std::int64_t first_entry_from(db::Read& db, base::Time time) {
    std::int64_t low = 1, high = moderation::newest_audit_entry(db) + 1;
    while (low < high) {
        const auto middle = low + (high - low) / 2;
        if (auto at = db.maybe(time_of_audit_entry, middle); at && *at < time.ms) low = middle + 1;
        else high = middle;
    }
    return low;
}

}  // namespace

Transparency transparency(db::Read& db, const Days& days) {
    constexpr std::int64_t ms_of_day = 86'400'000;
    const auto from = first_id_of(days.first), until = first_id_of(days.last + 1);
    const base::Time start{days.first * ms_of_day}, end{days.last * ms_of_day},
        after{(days.last + 1) * ms_of_day};
    Transparency out{start, end, db.all(reports_by_category, start, after)};
    out.reports_resolved = db.one(reports_resolved_between, start, after);
    if (out.reports_resolved > 0)
        out.report_median_hours = hours(db.one(report_time_at, start, after, (out.reports_resolved - 1) / 2));
    out.acts = db.all(strikes_by_ground, start, after);
    out.acts_automated = db.one(strikes_automated, start, after);
    out.acts_overruled = db.one(strikes_overruled, start, after);
    auto rules = db.one(done_by_rules, from, until);
    out.posts_marked_by_rules = rules.marked;
    out.posts_refused_by_rules = rules.refused;
    out.posts_held_by_rules = rules.held;
    out.appeals = db.all(appeals_by_outcome, start, after);
    if (auto times = db.all(appeal_times, start, after); !times.empty())
        out.appeal_median_hours = hours(times[(times.size() - 1) / 2]);
    out.log = db.all(log_by_act, first_entry_from(db, start), first_entry_from(db, after));
    return out;
}

namespace {

std::string day_of(base::Time time) { return base::to_string(base::Date{time.ms}); }

// Calls `line` for every line of the report, for all tabular formats.
template <class F>
void each_line(const Transparency& report, const F& line) {
    for (const auto& one : report.reports) line("reports", one.category, one.sender, one.count);
    line("reports", "resolved", "", report.reports_resolved);
    if (report.report_median_hours) line("reports", "median_hours", "", *report.report_median_hours);
    for (const auto& one : report.acts) line("acts", one.action, one.ground, one.count);
    line("acts", "automated", "", report.acts_automated);
    line("acts", "overruled", "", report.acts_overruled);
    for (const auto& one : report.appeals) line("appeals", one.state, "", one.count);
    if (report.appeal_median_hours) line("appeals", "median_hours", "", *report.appeal_median_hours);
    line("rules", "marked", "", report.posts_marked_by_rules);
    line("rules", "held", "", report.posts_held_by_rules);
    line("rules", "refused", "", report.posts_refused_by_rules);
    for (const auto& one : report.log) line("log", one.target, one.action, one.count);
}

}  // namespace

std::string csv(const Transparency& report) {
    std::string out = "section,of,what,count\n";
    each_line(
        report,
        [&](std::string_view section, const std::string& of, const std::string& what, std::int64_t n) {
            out += base::text::csv_line({std::string(section), of, what, std::to_string(n)});
        }
    );
    return out;
}

std::string markdown(const Transparency& report, const base::Site& site) {
    std::string out =
        "# Moderation of " + site.domain + ", " + day_of(report.start) + " to " + day_of(report.end) + "\n";
    std::string last;
    each_line(
        report,
        [&](std::string_view section, const std::string& of, const std::string& what, std::int64_t n) {
            if (section != last) out += "\n## " + std::string(section) + "\n\n| | | |\n|---|---|---:|\n";
            last = section;
            out += "| " + of + " | " + what + " | " + std::to_string(n) + " |\n";
        }
    );
    return out;
}

}  // namespace insight
