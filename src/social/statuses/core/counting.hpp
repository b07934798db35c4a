// SPDX-License-Identifier: AGPL-3.0-or-later
// The numbers that a status shows: of its reblogs, and of those answers and quotes that everybody may read. Whoever makes or
// removes one counts here, wherever it comes from.
#pragma once
#include "jobs/reactions.hpp"
#include "social/statuses/core/status.hpp"

namespace statuses {

// `by` is 1 or -1.
void count_reply(db::Write&, StatusId parent, Visibility of_reply, int by);
void count_reblog(db::Write&, StatusId original, int by);
void count_quote(db::Write&, StatusId quoted, StatusId quoting, int by);

// Event: the numbers of the statuses behind this one are to be counted anew. Begun by a migration.
struct RecountContinued {
    StatusId after;
};
DESCRIBE(RecountContinued, after)
// Reaction. Counts on a reader; what it adds is the difference it saw, so that what happens meanwhile is not lost.
jobs::Change recount(db::Read&, const RecountContinued&);

}  // namespace statuses
