// SPDX-License-Identifier: AGPL-3.0-or-later
// Statuses that were favourited or boosted within the last hour, found in steps of bounded work.
#pragma once
#include "db/session.hpp"

namespace discovery {

// Authors whose statuses can trend; the table accounts (a) belongs to accounts.
#define COUNTED_AUTHOR                                                                \
    "a.discoverable = TRUE AND a.silenced_at IS NULL AND a.suspended_at IS NULL AND " \
    "a.sensitized_at IS NULL "

// A candidate, and how many accounts favourited or boosted it.
struct MarkedStatus {
    base::StatusId id;
    std::int64_t author = 0;
    std::string language;
    base::Time created_at{};
    std::int64_t accounts = 0;
};
DESCRIBE(MarkedStatus, id, author, language, created_at, accounts)

// Some favourites and boosts that were not examined yet.
struct Marks {
    std::vector<MarkedStatus> statuses;
    std::vector<std::int64_t> marked_at;  // for each: the id of its last favourite or boost
    std::vector<std::pair<std::string, std::int64_t>> looked_at;  // the last examined id, by kind
    bool more = false;
};
Marks next_marks(db::Read&);
void keep(db::Write&, const Marks&);

// Those of the last hour, with the counts of the time when they were last favourited or boosted.
std::vector<MarkedStatus> trend_candidates(db::Read&);

// Those of these statuses that may trend, counted now.
std::vector<MarkedStatus> marked_statuses(db::Read&, const std::vector<base::StatusId>&);

}  // namespace discovery
