// SPDX-License-Identifier: AGPL-3.0-or-later
// Signing up, by app and by page (behaviours: 4.4): what is asked, what is wrong with it, and the new user.
#pragma once
#include "social/accounts/users/mail_hosts.hpp"
#include "social/accounts/users/user.hpp"

namespace accounts {

// Event: a login and its account were made; it may still wait to be confirmed or approved.
struct SignedUp {
    UserId user;
    AccountId account;
};
DESCRIBE(SignedUp, user, account)

struct SignUp {
    std::string username, email, password;
    bool agreement = false;
    std::string reason, locale, time_zone, date_of_birth, invite_code = {};
};
DESCRIBE(SignUp, username, email, password, agreement, reason, locale, time_zone, date_of_birth, invite_code)

// area/place, or a name of universal time, as the database of zones knows it.
bool is_time_zone(std::string_view);

// The server has an owner, and registrations are open or the invite opens them.
bool may_sign_up(db::Read&, std::string_view invite_code);
// Throws Forbidden.
void require_way_in(db::Read&, std::string_view invite_code);

// Empty when the form may be signed up with, but for who provides the mail.
std::vector<base::FieldError> sign_up_errors(db::Read&, const SignUp&);
// Nobody signs up from here. Throws Forbidden.
void require_open_network(db::Read&, std::string_view address);
// Nobody takes mail for this address. Throws Invalid.
void require_mail_hosts(const MailHosts&);
// Whose mail comes from a provider that is blocked, by its domain or its hosts, unless the invite lets them in: what they
// are told. It is counted.
std::optional<base::Invalid> refused_provider(db::Write&, const SignUp&, const MailHosts&);

// Throws Forbidden and Invalid. The user is unconfirmed and, where a moderator decides and no invite was given,
// unapproved; both depend on the site.
UserId sign_up(
    db::Write&, const SignUp&, const std::string& password_hash, AppId, std::string_view address,
    const MailHosts& = {}
);

}  // namespace accounts
