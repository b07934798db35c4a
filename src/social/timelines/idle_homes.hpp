// SPDX-License-Identifier: AGPL-3.0-or-later
// The homes of inactive users (option home_days): their entries are deleted and no new ones are written. They
// remain complete, because what is missing is read from the statuses themselves, and are refilled when the
// user is back (docs/decisions/0080-homes-of-people-away.md).
#pragma once
#include "jobs/reactions.hpp"
#include "social/accounts/users/absence.hpp"

#include <limits>

namespace timelines {

void keep_idle_homes_for(db::Write&, std::int64_t days);  // 0: forever
std::int64_t days_of_idle_homes(db::Read&);

// Value of relationships::Backfill for a follow by an inactive user: there are no entries, and no new ones
// are written.
constexpr std::int64_t nothing_filled = std::numeric_limits<std::int64_t>::max();

constexpr std::int64_t empty_idle_homes_every_seconds = 2;
// Periodic. Goes through the users by id, some hundred at a time, and empties one home after the other;
// starts again a day after finishing.
jobs::Change empty_idle_homes(db::Read&);

// Nobody is considered inactive before then: after a takeover it is unknown who was active, or homes are
// still being filled.
void leave_homes_alone(db::Write&, std::int64_t days);
// Restarts empty_idle_homes() now, from the first user.
void begin_with_idle_homes(db::Write&);

// A user is back; their follows after this one are still to be examined.
struct RefillContinued {
    base::AccountId account;
    base::FollowId after;
};
DESCRIBE(RefillContinued, account, after)
// A follow of theirs that has no entries.
struct FollowEmptied {
    base::FollowId follow;
    base::AccountId target;
};
DESCRIBE(FollowEmptied, follow, target)

// Reactions
void refill_home(db::Write&, const accounts::CameBack&);
void continue_refilling(db::Write&, const RefillContinued&);
void refill_from_follow(db::Write&, const FollowEmptied&);

}  // namespace timelines
