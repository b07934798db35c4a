// SPDX-License-Identifier: AGPL-3.0-or-later
// The counts that a status shows: its reblogs, and its replies and quotes that are public or unlisted. Code
// that adds or removes one, local or remote, must count it here.
#pragma once
#include "jobs/reactions.hpp"
#include "social/statuses/core/status.hpp"

namespace statuses {

// `by` is 1 or -1.
void count_reply(db::Write&, StatusId parent, Visibility of_reply, int by);
void count_reblog(db::Write&, StatusId original, int by);
void count_quote(db::Write&, StatusId quoted, StatusId quoting, int by);

// Event: the counts of statuses with greater ids are to be recomputed. Started by a migration.
struct RecountContinued {
    StatusId after;
};
DESCRIBE(RecountContinued, after)
// Reaction. Counts on a reader; the change adds only the difference found, so that concurrent updates are not
// lost.
jobs::Change recount(db::Read&, const RecountContinued&);

}  // namespace statuses
