// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/relationships/relationship.hpp"

#include "social/accounts/users/invite.hpp"

namespace relationships {

void follow_inviter(db::Write& db, const accounts::Activated& event) {
    auto inviter = accounts::inviter_to_follow(db, event.user);
    if (!inviter) return;
    try {
        follow(db, event.account, *inviter, {});
    } catch (const base::Error&) {
        // The inviter was suspended or has moved meanwhile; follow() throws before it changes anything.
    }
}

}  // namespace relationships
