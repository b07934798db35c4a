// SPDX-License-Identifier: AGPL-3.0-or-later
// Secrets sent by mail: to confirm an address and to reset a password. Tables hold their SHA-256; the events
// contain them in plain text, in a job row that lives until the mail is sent.
#pragma once
#include "social/accounts/users/user.hpp"

namespace accounts {

struct ConfirmationWanted {
    UserId user;
    std::string secret;
};
DESCRIBE(ConfirmationWanted, user, secret)

struct PasswordResetWanted {
    UserId user;
    std::string secret;
};
DESCRIBE(PasswordResetWanted, user, secret)

// Sends the confirmation mail (again) to the address that awaits confirmation.
void request_confirmation(db::Write&, UserId);
// Why an existing login cannot change to this address.
std::vector<base::FieldError> new_email_errors(db::Read&, UserId, std::string_view email);
// The address replaces the present one once it is confirmed; for an unconfirmed user, at once. Sends the
// mail. Throws Invalid.
void request_email(db::Write&, UserId, std::string_view email);
bool awaits_confirmation(const User&);
// The user whose address this secret may confirm: it is the last one sent, and at most two days old.
std::optional<User> find_by_confirmation_secret(db::Read&, std::string_view secret);
// Returns the user whose address was confirmed; nullopt if the secret is unknown or older than two days. An
// address that somebody else has taken meanwhile is discarded.
std::optional<UserId> confirm_by_secret(db::Write&, std::string_view secret);

void request_password_reset(db::Write&, UserId);
// The user whose password may be changed with this secret: it is at most six hours old and unused.
std::optional<User> find_by_reset_secret(db::Read&, std::string_view secret);

}  // namespace accounts
