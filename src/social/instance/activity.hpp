// SPDX-License-Identifier: AGPL-3.0-or-later
// Activity of the site: counters of the last weeks, and the known servers.
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

// Domains of known servers, those with the most accounts first, without those that moderators limited.
std::vector<std::string> peers(db::Read&);
// At most ten that begin with `begin`.
std::vector<std::string> peers_like(db::Read&, std::string_view begin);
jobs::Change list_peers(db::Read&);  // periodic

// Settings of moderators; true unless they were disabled.
bool tells_peers(db::Read&);
bool tells_activity(db::Read&);

// The size of the site. Counting is slow on a large database, so it is done periodically and stored in
// settings.
struct Statistics {
    std::int64_t users = 0, statuses = 0, domains = 0, active_month = 0, active_halfyear = 0;
};
DESCRIBE(Statistics, users, statuses, domains, active_month, active_halfyear)

Statistics statistics(db::Read&);
jobs::Change count_everything(db::Read&);  // periodic

}  // namespace instance
