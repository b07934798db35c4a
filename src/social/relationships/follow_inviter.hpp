// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include "social/accounts/users/user.hpp"

namespace relationships {

// Reaction to a new user: follows who invited them, where the invite says so.
void follow_inviter(db::Write&, const accounts::Activated&);

}  // namespace relationships
