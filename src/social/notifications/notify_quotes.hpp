// SPDX-License-Identifier: AGPL-3.0-or-later
// Notifications about quotes.
#pragma once
#include "social/statuses/quotes/quote.hpp"

namespace notifications {

// More accounts quote an edited status: those with a greater quote id.
struct QuotersContinued {
    statuses::StatusId status;
    base::AccountId author;
    std::int64_t after = 0;
};
DESCRIBE(QuotersContinued, status, author, after)

// Reactions
void notify_quoted(db::Write&, const statuses::Quoted&);
void notify_quoters(db::Write&, const statuses::Edited&);
void notify_more_quoters(db::Write&, const QuotersContinued&);

}  // namespace notifications
