// SPDX-License-Identifier: AGPL-3.0-or-later
// Statistics of the team's actions in a period, suitable for publication: without any names.
#pragma once
#include "base/json.hpp"
#include "db/session.hpp"
#include "social/insight/measure.hpp"

namespace insight {

// `sender`: "here" or "elsewhere"; `category` as in reports.
struct CountedReports {
    std::string category, sender;
    std::int64_t count = 0;
};
DESCRIBE(CountedReports, category, sender, count)

// `ground`: the category of the report that led to it, or "own_initiative".
struct CountedActs {
    std::string action, ground;
    std::int64_t count = 0;
};
DESCRIBE(CountedActs, action, ground, count)

// Entries of the log, by action and type of target.
struct CountedEntries {
    std::string action, target;
    std::int64_t count = 0;
};
DESCRIBE(CountedEntries, action, target, count)

struct CountedAppeals {
    std::string state;
    std::int64_t count = 0;
};
DESCRIBE(CountedAppeals, state, count)

struct Transparency {
    static constexpr std::string_view entity = "TransparencyReport";
    base::Time start, end;  // `end` is included
    std::vector<CountedReports> reports;
    std::int64_t reports_resolved = 0;
    std::optional<std::int64_t> report_median_hours;
    std::vector<CountedActs> acts;  // on accounts and posts, with a strike
    std::int64_t acts_automated = 0, acts_overruled = 0;
    std::vector<CountedAppeals> appeals;  // submitted, by outcome
    std::optional<std::int64_t> appeal_median_hours;
    std::int64_t posts_marked_by_rules = 0, posts_refused_by_rules = 0, posts_held_by_rules = 0;
    std::vector<CountedEntries> log;
};
DESCRIBE(
    Transparency, start, end, reports, reports_resolved, report_median_hours, acts, acts_automated,
    acts_overruled, appeals, appeal_median_hours, posts_marked_by_rules, posts_refused_by_rules,
    posts_held_by_rules, log
)

// Computed from the tables, on a reader. Rule hits are kept for 90 days; older ones are not counted.
Transparency transparency(db::Read&, const Days&);

std::string markdown(const Transparency&, const base::Site&);
std::string csv(const Transparency&);  // section,of,what,count

}  // namespace insight
