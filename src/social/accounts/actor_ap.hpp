// SPDX-License-Identifier: AGPL-3.0-or-later
// A local account as an ActivityPub actor. The federation subject passes in its keys.
#pragma once
#include "ap/write.hpp"
#include "social/accounts/account.hpp"

namespace accounts {

// For a suspended account only the id, the key and the inboxes.
ap::write::Actor to_actor(db::Read&, const Account&);
unsigned terms_of(const ap::write::Actor&);

}  // namespace accounts
