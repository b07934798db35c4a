// SPDX-License-Identifier: AGPL-3.0-or-later
// Who is told of quotes.
#pragma once
#include "social/statuses/quotes/quote.hpp"

namespace notifications {

// More who quote an edited status: those with a greater id of the quote.
struct QuotersLeft {
    statuses::StatusId status;
    base::AccountId author;
    std::int64_t after = 0;
};
DESCRIBE(QuotersLeft, status, author, after)

// Reactions
void tell_quoted(db::Write&, const statuses::Quoted&);
void tell_quoters(db::Write&, const statuses::Edited&);
void tell_quoters_left(db::Write&, const QuotersLeft&);

}  // namespace notifications
