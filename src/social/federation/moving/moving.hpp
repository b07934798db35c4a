// SPDX-License-Identifier: AGPL-3.0-or-later
// Accounts that go on elsewhere: what is asked before, whoever says so, and what is told of those of this site.
#pragma once
#include "jobs/reactions.hpp"
#include "social/federation/actors/actor.hpp"
#include "social/relationships/move.hpp"

namespace federation {

using base::AccountId;

// Whether the account, ours or not, names the other as its owner's, too.
bool lists(db::Read&, AccountId, const std::string& alias);
// The account with this id, looked at anew, where it names the first as its owner's and is in use: what a Move says, and
// what an actor says of itself, counts with that alone.
std::optional<AccountId> confirmed_target(
    const base::Ask&, db::Read&, AccountId, const std::string& target, int depth = 0
);

// Reaction: it is shown that somebody has moved. Their followers stay until a Move takes them along, as the owner may
// have wanted no more than a sign on the door.
jobs::Change look_where_moved(const base::Ask&, db::Read&, const MoveNamed&);

// Move: followers go along, of another server once in a week.
struct MovedActor {
    AccountId account, target;
};
bool moved_lately(db::Read&, AccountId);
bool take_move(db::Write&, const MovedActor&);

// Somebody here goes on as the target, once in 30 days. Throws Invalid: the sentence says what stands in the way.
void move_out(db::Write&, AccountId, AccountId target);

jobs::Change deliver_moved(db::Read&, const relationships::Moved&);  // reaction

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_moves;

}  // namespace federation
