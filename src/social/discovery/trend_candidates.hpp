// SPDX-License-Identifier: AGPL-3.0-or-later
// Statuses that were favourited or boosted within the last hour, found in steps of bounded work, however often that was.
#pragma once
#include "db/session.hpp"

namespace discovery {

// Whose statuses make trends; accounts (a) belongs to accounts.
#define COUNTED_AUTHOR                                                                \
    "a.discoverable = TRUE AND a.silenced_at IS NULL AND a.suspended_at IS NULL AND " \
    "a.sensitized_at IS NULL "

// One that may become a trend, and how many accounts favourited or boosted it.
struct MarkedStatus {
    base::StatusId id;
    std::int64_t author = 0;
    std::string language;
    base::Time created_at{};
    std::int64_t accounts = 0;
};
DESCRIBE(MarkedStatus, id, author, language, created_at, accounts)

// Some of the favourites and boosts that were not looked at yet.
struct Marks {
    std::vector<MarkedStatus> statuses;
    std::vector<std::int64_t> marked_at;  // of each: the id of its last favourite or boost
    std::vector<std::pair<std::string, std::int64_t>> looked_at;  // up to which, by kind
    bool more = false;                                            // there are more
};
Marks next_marks(db::Read&);
void keep(db::Write&, const Marks&);

// Those of the last hour, with the numbers they had when they were last favourited or boosted.
std::vector<MarkedStatus> trend_candidates(db::Read&);

// Of these, those that may become a trend, counted now.
std::vector<MarkedStatus> marked_statuses(db::Read&, const std::vector<base::StatusId>&);

}  // namespace discovery
