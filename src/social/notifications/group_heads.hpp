// SPDX-License-Identifier: AGPL-3.0-or-later
// Of each group, and of each notification that stands alone, the first in a range as seen from the range's edge: what a
// page of groups is made of. Members of a group are not read for it, however many they are.
#pragma once
#include "social/notifications/group.hpp"
#include "social/notifications/streams.hpp"

namespace notifications {

class Heads {
public:
    // The range's bounds are the edges; what was cleared is left out.
    Heads(db::Read&, AccountId, const base::Range&, const GroupFilter&);

    // The next ones, about as many as the limit, nearest first.
    std::vector<Notification> next(int limit);
    bool more() const { return more_; }

private:
    Ids heads_of(const std::vector<std::string>& keys);

    db::Read& db_;
    AccountId account_;
    base::Range edges_, rest_;
    const GroupFilter& filter_;
    std::vector<std::string> grouped_,
        single_;   // types that stand in groups, and those that do but are not to
    Ids waiting_;  // heads that lie beyond what was read so far
    bool begun_ = false, more_ = true;
};

}  // namespace notifications
