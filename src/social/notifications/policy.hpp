// SPDX-License-Identifier: AGPL-3.0-or-later
// A user's policy for notifications from people they do not know.
#pragma once
#include "db/session.hpp"

namespace notifications {

using base::AccountId;

// From the most lenient to the strictest.
BOOST_DEFINE_ENUM_CLASS(Answer, accept, filter, drop)

struct Policy {
    Answer for_not_following = Answer::accept, for_not_followers = Answer::accept,
           for_new_accounts = Answer::accept, for_private_mentions = Answer::filter,
           for_limited_accounts = Answer::filter, for_bots = Answer::accept;
};
DESCRIBE(
    Policy, for_not_following, for_not_followers, for_new_accounts, for_private_mentions,
    for_limited_accounts, for_bots
)

Policy policy(db::Read&, AccountId);
void set_policy(db::Write&, AccountId, const Policy&);

// The number of filtered requests and notifications, each at most 100.
struct FilteredSummary {
    std::int64_t requests = 0, notifications = 0;
};
DESCRIBE(FilteredSummary, requests, notifications)
FilteredSummary filtered_summary(db::Read&, AccountId);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_notification_policies;

}  // namespace notifications
