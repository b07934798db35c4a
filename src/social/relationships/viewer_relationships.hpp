// SPDX-License-Identifier: AGPL-3.0-or-later
// The relationships of a viewer: whom they follow, which people and domains they block, whom they mute, and who blocks
// them. It is the half of every visibility decision that belongs to the viewer; loaded once per relations_version and
// kept, so that a page of a timeline asks no relation query at all.
#pragma once
#include "db/session.hpp"

#include <memory>
#include <unordered_map>
#include <unordered_set>

namespace relationships {

using base::AccountId;
using base::Time;

struct Following {
    bool show_reblogs = true;
    std::vector<std::string> languages;  // empty: all
};

class Relationships {
public:
    AccountId self;
    std::int64_t version = 0;  // relations_version: the key to what else is kept for this viewer
    std::unordered_map<AccountId, Following> following;
    std::unordered_set<AccountId> blocking, blocked_by;
    std::unordered_map<AccountId, std::optional<Time>> muting;  // until when
    std::unordered_set<std::string> blocked_domains;            // without their subdomains
    bool unmerged = false;  // some follow's older statuses may not be in home's entries yet

    bool follows(AccountId id) const { return following.contains(id); }
    bool mutes(AccountId id, Time now) const {
        auto found = muting.find(id);
        return found != muting.end() && (!found->second || *found->second > now);
    }
    // What names this account is not shown in timelines either.
    bool avoids(AccountId id, Time now) const { return blocking.contains(id) || mutes(id, now); }
    bool avoids_anybody() const { return !blocking.empty() || !muting.empty(); }
    // What this account wrote or boosted is not shown in timelines, threads and notifications.
    bool hides(AccountId id, Time now) const { return avoids(id, now) || blocked_by.contains(id); }
};

std::shared_ptr<const Relationships> relationships_of(
    db::Read&, AccountId viewer, std::int64_t relations_version
);

}  // namespace relationships
