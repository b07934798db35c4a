// SPDX-License-Identifier: AGPL-3.0-or-later
// Accounts that move: confirmation of moves, whatever announces them, and the Move of local accounts.
#pragma once
#include "jobs/reactions.hpp"
#include "social/federation/actors/actor.hpp"
#include "social/relationships/move.hpp"

namespace federation {

using base::AccountId;

// Whether the account, local or remote, lists the other one in alsoKnownAs.
bool lists(db::Read&, AccountId, const std::string& alias);
// The target account, fetched again, if it lists the first in alsoKnownAs and is in use (not suspended or
// moved itself). A Move or movedTo has no effect without that.
std::optional<AccountId> confirmed_target(
    const base::Ask&, db::Read&, AccountId, const std::string& target, int depth = 0
);

// Reaction: shows an account as moved. Its followers stay until a Move arrives, as the owner may only have
// wanted to leave a notice.
jobs::Change look_where_moved(const base::Ask&, db::Read&, const MoveNamed&);

// Move: the followers are moved, for a remote account at most once a week.
struct MovedActor {
    AccountId account, target;
};
bool moved_lately(db::Read&, AccountId);
bool take_move(db::Write&, const MovedActor&);

// Moves a local account to the target, at most once in 30 days. Throws Invalid with the reason when it may
// not.
void move_out(db::Write&, AccountId, AccountId target);

jobs::Change deliver_moved(db::Read&, const relationships::Moved&);  // reaction

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_moves;

}  // namespace federation
