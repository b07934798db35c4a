// SPDX-License-Identifier: AGPL-3.0-or-later
// An account of ours as an actor. Its keys are federation's, which hands them in.
#pragma once
#include "ap/write.hpp"
#include "social/accounts/account.hpp"

namespace accounts {

// Of a suspended one only the id, the key and the inboxes are told.
ap::write::Actor to_actor(db::Read&, const Account&);
unsigned terms_of(const ap::write::Actor&);

}  // namespace accounts
