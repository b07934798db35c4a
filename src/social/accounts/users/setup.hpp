// SPDX-License-Identifier: AGPL-3.0-or-later
// The owner of a new server: whoever can read its console gets a code, and the code makes the owner. Nobody signs up
// before (sign_up.hpp).
#pragma once
#include "social/accounts/users/user.hpp"

namespace accounts {

// A new code, which replaces an earlier one; nothing once there is an owner. Only its hash is stored.
std::optional<std::string> setup_code(db::Write&);

// Whether the owner is yet to be made.
bool setup_open(db::Read&);
bool is_setup_code(db::Read&, std::string_view code);

// Makes the owner and forgets the code. Throws Invalid, and NotFound when there is an owner already.
UserId set_up(
    db::Write&, const std::string& username, const std::string& email, const std::string& password_hash
);

}  // namespace accounts
