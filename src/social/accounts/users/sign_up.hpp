// SPDX-License-Identifier: AGPL-3.0-or-later
// Signing up, by client and by page (behaviours: 4.4): the form, its errors, and the new user.
#pragma once
#include "social/accounts/users/mail_hosts.hpp"
#include "social/accounts/users/user.hpp"

namespace accounts {

// Event: a login and its account were created; they may still await confirmation or approval.
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

// A name like area/place or a name of UTC, as in the time zone database.
bool is_time_zone(std::string_view);

// There is an owner, and registrations are open or the invite permits it.
bool may_sign_up(db::Read&, std::string_view invite_code);
// Throws Forbidden.
void require_way_in(db::Read&, std::string_view invite_code);

// Empty if the form is valid; the mail provider is checked separately.
std::vector<base::FieldError> sign_up_errors(db::Read&, const SignUp&);
// Throws Forbidden if sign-ups from this address are blocked.
void require_open_network(db::Read&, std::string_view address);
// Throws Invalid if the domain receives no mail.
void require_mail_hosts(const MailHosts&);
// The error for an address whose provider is blocked, by its domain or its hosts, unless an invite permits
// it. Counts the attempt.
std::optional<base::Invalid> refused_provider(db::Write&, const SignUp&, const MailHosts&);

// Throws Forbidden and Invalid. The user is unconfirmed and, if moderators approve sign-ups and no invite was
// given, unapproved; both depend on the site.
UserId sign_up(
    db::Write&, const SignUp&, const std::string& password_hash, AppId, std::string_view address,
    const MailHosts& = {}
);

}  // namespace accounts
