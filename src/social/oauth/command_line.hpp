// SPDX-License-Identifier: AGPL-3.0-or-later
// What an operator's commands do to logins. The commands themselves are in cli/.
#pragma once
#include "social/accounts/users/user.hpp"

namespace oauth {

// A token of the internal app "Command line" for a local account. Throws NotFound without such a user, Invalid for
// unknown scopes.
std::string create_token(db::Write&, std::string_view username, std::string_view scopes);

struct NewLogin {
    std::string username, email, password_hash;
    std::string role;  // empty: none
    bool confirmed = true, approved = true;
};
accounts::UserId create_login(db::Write&, const NewLogin&);  // throws Invalid

}  // namespace oauth
