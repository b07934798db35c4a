// SPDX-License-Identifier: AGPL-3.0-or-later
// Ids of the notifications of some types, in a range and its direction, each by an index that holds no others: lists of
// few types, and lists of groups, must not read what they leave out.
#pragma once
#include "social/notifications/notification.hpp"

namespace notifications {

using Ids = std::vector<NotificationId>;

// Nearest first, up to `complete_to`; without it there are no more.
struct Stretch {
    Ids ids;
    std::optional<NotificationId> complete_to;

    // Puts ids of another stream in; both are then complete only as far as the shorter one.
    void merge(Ids more, const base::Range&);
    // Forgets what lies beyond: it is read again from there on.
    void end_at(NotificationId, const base::Range&);
};

// Those that stand in no group.
Ids alone(db::Read&, AccountId, const base::Range&, const Filter&);
// Members of groups, one by one.
Ids members_of_types(db::Read&, AccountId, const base::Range&, const std::vector<std::string>& types);
// All of the types of a filter.
Stretch of_types(db::Read&, AccountId, const base::Range&, const Filter&);

// In the order of the ids; those of suspended accounts are left out.
std::vector<Notification> rows(db::Read&, const Ids&);

extern const db::Query<std::int64_t> cleared_up_to;  // by the account $1
// The range without what the account has cleared.
base::Range uncleared(db::Read&, AccountId, base::Range);
// Up to where the account has read, as its marker says.
std::int64_t last_read(db::Read&, AccountId);

}  // namespace notifications
