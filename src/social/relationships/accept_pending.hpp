// SPDX-License-Identifier: AGPL-3.0-or-later
// Who unlocks their account accepts all who wait to follow it, but for limited accounts, chunk after chunk.
#pragma once
#include "social/relationships/relationship.hpp"

namespace relationships {

// Event: more are waiting than are accepted at once.
struct AcceptPendingContinued {
    AccountId account;
    FollowRequestId after;
};
DESCRIBE(AcceptPendingContinued, account, after)

// Reactions
void accept_pending(db::Write&, const accounts::Unlocked&);
void continue_accepting_pending(db::Write&, const AcceptPendingContinued&);

}  // namespace relationships
