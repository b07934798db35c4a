// SPDX-License-Identifier: AGPL-3.0-or-later
// Conversations of which somebody wants no notifications; what is said in them is shown as ever.
#pragma once
#include "social/statuses/core/status.hpp"

namespace statuses {

// That of a status the account may see, or throws NoSuchStatus.
void mute_conversation(db::Write&, AccountId me, StatusId);
void unmute_conversation(db::Write&, AccountId me, StatusId);

// Whether this account wants nothing of what concerns the status.
bool conversation_muted(db::Read&, AccountId, StatusId);

// What goes with an account of its own, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_conversation_mutes;

}  // namespace statuses
