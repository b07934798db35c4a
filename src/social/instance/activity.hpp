// SPDX-License-Identifier: AGPL-3.0-or-later
// How much goes on here: counters of the last weeks, and the servers that are known.
#pragma once
#include "jobs/reactions.hpp"

namespace instance {

struct WeekRow {
    std::int64_t week = 0, statuses = 0, logins = 0, registrations = 0;
};
DESCRIBE(WeekRow, week, statuses, logins, registrations)

// Twelve weeks, newest first; those without a row are zero.
std::vector<WeekRow> activity(db::Read&);
jobs::Change count_activity(db::Read&);  // periodic

// Domains of known servers, those with most accounts first, without those that moderators limited.
std::vector<std::string> peers(db::Read&);
// At most ten that begin with what is looked for.
std::vector<std::string> peers_like(db::Read&, std::string_view begin);
jobs::Change list_peers(db::Read&);  // periodic

// Of moderators' settings; on unless they turned it off.
bool tells_peers(db::Read&);
bool tells_activity(db::Read&);

// How large the site is. Counting is slow on a large database, so it is done by the clock and kept in settings.
struct Statistics {
    std::int64_t users = 0, statuses = 0, domains = 0, active_month = 0, active_halfyear = 0;
};
DESCRIBE(Statistics, users, statuses, domains, active_month, active_halfyear)

Statistics statistics(db::Read&);
jobs::Change count_everything(db::Read&);  // periodic

}  // namespace instance
