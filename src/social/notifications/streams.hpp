// SPDX-License-Identifier: AGPL-3.0-or-later
// Ids of notifications of some types, in a range and its direction, each from an index that contains only
// these: lists of few types, and grouped lists, must not read rows that they skip.
#pragma once
#include "social/notifications/notification.hpp"

namespace notifications {

using Ids = std::vector<NotificationId>;

// Nearest first, up to `complete_to`; without it there are no more.
struct Stretch {
    Ids ids;
    std::optional<NotificationId> complete_to;

    // Merges ids of another stream; the result is complete only as far as the shorter one.
    void merge(Ids more, const base::Range&);
    // Drops ids beyond this one, which will be read again.
    void end_at(NotificationId, const base::Range&);
};

// Those that are in no group.
Ids alone(db::Read&, AccountId, const base::Range&, const Filter&);
// Members of groups, individually.
Ids members_of_types(db::Read&, AccountId, const base::Range&, const std::vector<std::string>& types);
// All notifications of the types of a filter.
Stretch of_types(db::Read&, AccountId, const base::Range&, const Filter&);

// In the order of the ids, without those of suspended accounts.
std::vector<Notification> rows(db::Read&, const Ids&);

extern const db::Query<std::int64_t> cleared_up_to;  // by the account $1
// The range without what the account has cleared.
base::Range uncleared(db::Read&, AccountId, base::Range);
// The position up to which the account has read, according to its marker.
std::int64_t last_read(db::Read&, AccountId);

}  // namespace notifications
