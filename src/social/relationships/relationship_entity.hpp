// SPDX-License-Identifier: AGPL-3.0-or-later
// Entity Relationship: how a viewer relates to other accounts.
#pragma once
#include "base/json.hpp"
#include "db/session.hpp"

namespace relationships {

struct Relationship {
    base::AccountId id;
    bool following = false, showing_reblogs = false, notifying = false;
    std::optional<std::vector<std::string>> languages;
    bool followed_by = false, blocking = false, blocked_by = false, muting = false,
         muting_notifications = false;
    std::optional<base::WholeSeconds> muting_expires_at;
    bool requested = false, requested_by = false, domain_blocking = false, endorsed = false;
    std::string note;
};
DESCRIBE(
    Relationship, id, following, showing_reblogs, notifying, languages, followed_by, blocking, blocked_by,
    muting, muting_notifications, muting_expires_at, requested, requested_by, domain_blocking, endorsed, note
)

// In the order of the ids, without unknown ones and, unless requested, suspended ones.
std::vector<Relationship> relationships(
    db::Read&, base::AccountId viewer, const std::vector<base::AccountId>& ids, bool with_suspended = false
);
Relationship relationship(db::Read&, base::AccountId viewer, base::AccountId other);  // throws NotFound

}  // namespace relationships
