// SPDX-License-Identifier: AGPL-3.0-or-later
// The numbers of answers and quotes that a status shows: of those that everybody may read.
#pragma once
#include "jobs/reactions.hpp"
#include "social/statuses/core/visibility_groups.hpp"

namespace statuses {

// `by` is 1 or -1.
void count_reply(db::Write&, StatusId parent, Visibility of_reply, int by);
void count_quote(db::Write&, StatusId quoted, StatusId quoting, int by);

// Event: the numbers of the statuses behind this one are to be counted anew. Begun by a migration.
struct RecountContinued {
    StatusId after;
};
DESCRIBE(RecountContinued, after)
// Reaction. Counts on a reader; what it adds is the difference it saw, so that what happens meanwhile is not lost.
jobs::Change recount(db::Read&, const RecountContinued&);

}  // namespace statuses
