// SPDX-License-Identifier: AGPL-3.0-or-later
// Accounts that go on elsewhere: what both directions ask before, and what is told of those of this site.
#pragma once
#include "jobs/reactions.hpp"
#include "social/relationships/move.hpp"

namespace federation {

using base::AccountId;

// Whether the account, ours or not, names the other as its owner's, too.
bool lists(db::Read&, AccountId, const std::string& alias);
// From another server nobody is taken to move twice in a week.
bool moved_lately(db::Read&, AccountId);
void note_move(db::Write&, AccountId);

// Somebody here goes on as the target, once in 30 days. Throws Invalid: the sentence says what stands in the way.
void move_out(db::Write&, AccountId, AccountId target);

jobs::Change deliver_moved(db::Read&, const relationships::Moved&);  // reaction

// What goes with an account of its own, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_moves;

}  // namespace federation
