// SPDX-License-Identifier: AGPL-3.0-or-later
// The homes of people who were not here for long (option home_days): their entries go and no new ones are written. They are
// complete at any time, as what is not in the entries is read from the statuses themselves, and are written anew once those
// people are back (docs/decisions/0080-homes-of-people-away.md).
#pragma once
#include "jobs/reactions.hpp"
#include "social/accounts/users/absence.hpp"

#include <limits>

namespace timelines {

void keep_idle_homes_for(db::Write&, std::int64_t days);  // 0: for ever
std::int64_t days_of_idle_homes(db::Read&);

// Of a follow by somebody away, as relationships::Backfill: nothing is in the entries, and nothing comes in.
constexpr std::int64_t nothing_filled = std::numeric_limits<std::int64_t>::max();

constexpr std::int64_t empty_idle_homes_every_seconds = 2;
// Periodic. Goes through the people by id, some hundred at a time, and empties one home after the other; begins anew a day
// after it has been through.
jobs::Change empty_idle_homes(db::Read&);

// Nobody is taken for away before: after a take-over nothing says who was here, or homes are still being filled.
void leave_homes_alone(db::Write&, std::int64_t days);
// So that what rests is looked at now, from the first on.
void begin_with_idle_homes(db::Write&);

// Somebody is back, whose follows after this one are still to be looked through.
struct RefillContinued {
    base::AccountId account;
    base::FollowId after;
};
DESCRIBE(RefillContinued, account, after)
// A follow of theirs of which nothing is in the entries.
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
