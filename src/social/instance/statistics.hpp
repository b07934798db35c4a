// SPDX-License-Identifier: AGPL-3.0-or-later
// How large the site is. Counting is slow on a large database, so it is done by the clock and kept in settings.
#pragma once
#include "jobs/reactions.hpp"

namespace instance {

struct Statistics {
    std::int64_t users = 0, statuses = 0, domains = 0, active_month = 0, active_halfyear = 0;
};
DESCRIBE(Statistics, users, statuses, domains, active_month, active_halfyear)

Statistics statistics(db::Read&);
jobs::Change count_everything(db::Read&);  // periodic

}  // namespace instance
