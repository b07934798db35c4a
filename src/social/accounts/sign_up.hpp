// SPDX-License-Identifier: AGPL-3.0-or-later
// Signing up, by app and by page (behaviours: 4.4): what is asked, what is wrong with it, and the new user.
#pragma once
#include "social/accounts/user.hpp"

namespace accounts {

struct SignUp {
    std::string username, email, password;
    bool agreement = false;
    std::string reason, locale, time_zone, date_of_birth;
};
DESCRIBE(SignUp, username, email, password, agreement, reason, locale, time_zone, date_of_birth)

// Throws Forbidden when registrations are closed.
void require_open_registrations(const base::Site&);

// Empty when the form may be signed up with.
std::vector<base::FieldError> sign_up_errors(db::Read&, const SignUp&);

// Throws Invalid. The user is unconfirmed and, where a moderator decides, unapproved; both depend on the site.
UserId sign_up(db::Write&, const SignUp&, const std::string& password_hash, AppId, std::string_view address);

}  // namespace accounts
