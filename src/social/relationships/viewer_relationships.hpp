// SPDX-License-Identifier: AGPL-3.0-or-later
// The relationships of a viewer: follows, blocks of accounts and domains, mutes, and who blocks them. They
// are the viewer's half of every visibility decision; loaded once per relations_version and cached, so that a
// page of a timeline needs no query for them.
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
    std::int64_t version = 0;  // relations_version: also the key of other caches for this viewer
    std::unordered_map<AccountId, Following> following;
    std::unordered_set<AccountId> blocking, blocked_by;
    std::unordered_map<AccountId, std::optional<Time>> muting;  // until when
    std::unordered_set<std::string> blocked_domains;            // without their subdomains
    bool unmerged = false;  // older statuses of some follow may be missing from home's entries

    bool follows(AccountId id) const { return following.contains(id); }
    bool mutes(AccountId id, Time now) const {
        auto found = muting.find(id);
        return found != muting.end() && (!found->second || *found->second > now);
    }
    // Statuses that mention this account are also hidden from timelines.
    bool avoids(AccountId id, Time now) const { return blocking.contains(id) || mutes(id, now); }
    bool avoids_anybody() const { return !blocking.empty() || !muting.empty(); }
    // Statuses that this account wrote or boosted are hidden from timelines, threads and notifications.
    bool hides(AccountId id, Time now) const { return avoids(id, now) || blocked_by.contains(id); }
};

std::shared_ptr<const Relationships> relationships_of(
    db::Read&, AccountId viewer, std::int64_t relations_version
);

}  // namespace relationships
