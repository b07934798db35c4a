// SPDX-License-Identifier: AGPL-3.0-or-later
// Who is told of quotes.
#pragma once
#include "social/statuses/quotes/quote.hpp"

namespace notifications {

// More who quote an edited status: those with a greater id of the quote.
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
