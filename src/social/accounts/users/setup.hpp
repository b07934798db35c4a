// SPDX-License-Identifier: AGPL-3.0-or-later
// The owner of a new server: the server's console shows a code with which the owner is created. Nobody can
// sign up before that (sign_up.hpp).
#pragma once
#include "social/accounts/users/user.hpp"

namespace accounts {

// A new code, which replaces an earlier one; nullopt if there is an owner. Only its hash is stored.
std::optional<std::string> setup_code(db::Write&);

// Whether there is no owner yet.
bool setup_open(db::Read&);
bool is_setup_code(db::Read&, std::string_view code);

// Creates the owner and deletes the code. Throws Invalid, and NotFound if there is an owner already.
UserId set_up(
    db::Write&, const std::string& username, const std::string& email, const std::string& password_hash
);

}  // namespace accounts
