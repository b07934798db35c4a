// SPDX-License-Identifier: AGPL-3.0-or-later
// The first notification in a range, counted from the range's edge, of each group and each ungrouped
// notification: the basis of a page of groups. Other members of a group are not read.
#pragma once
#include "social/notifications/group.hpp"
#include "social/notifications/streams.hpp"

namespace notifications {

class Heads {
public:
    // The range's bounds are the edges; cleared notifications are left out.
    Heads(db::Read&, AccountId, const base::Range&, const GroupFilter&);

    // The next heads, about `limit` of them, nearest first.
    std::vector<Notification> next(int limit);
    bool more() const { return more_; }

private:
    Ids heads_of(const std::vector<std::string>& keys);

    db::Read& db_;
    AccountId account_;
    base::Range edges_, rest_;
    const GroupFilter& filter_;
    std::vector<std::string> grouped_,
        single_;   // types that are grouped, and groupable ones that are not to be
    Ids waiting_;  // heads beyond what was read so far
    bool begun_ = false, more_ = true;
};

}  // namespace notifications
