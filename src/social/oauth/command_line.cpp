// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/oauth/token.hpp"

#include "social/oauth/app.hpp"

namespace oauth {

std::string create_token(db::Write& db, std::string_view username, std::string_view scopes) {
    auto words = normal_scopes(scopes);
    if (!words) throw base::Invalid("There is an unknown scope in: " + std::string(scopes));
    auto user = accounts::find_for_sign_in(db, username);
    if (!user) throw base::NotFound("There is no user " + std::string(username));
    return issue_token(db, command_line_app(db), user->id, *words).token;
}

accounts::UserId create_login(db::Write& db, const NewLogin& login) {
    accounts::NewUser user;
    user.username = login.username;
    user.email = login.email;
    user.password_hash = login.password_hash;
    user.confirmed = login.confirmed;
    user.approved = login.approved;
    if (!login.role.empty()) {
        auto role = accounts::find_role(db, login.role);
        if (!role) throw base::Invalid("There is no role " + login.role);
        user.role = *role;
    }
    return accounts::create_user(db, user);
}

}  // namespace oauth
