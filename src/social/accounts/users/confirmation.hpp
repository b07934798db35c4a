// SPDX-License-Identifier: AGPL-3.0-or-later
// Secrets that travel by mail: the one that confirms an address and the one that resets a password. Tables hold
// their SHA-256; the events carry them in the clear, in a job row that lives until the mail is sent.
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

// Sends the confirmation mail (again), to the address that awaits confirmation.
void request_confirmation(db::Write&, UserId);
// What speaks against this address for a login that is there.
std::vector<base::FieldError> new_email_errors(db::Read&, UserId, std::string_view email);
// An address that takes the place of the present one once it is confirmed; of an unconfirmed user, at once.
// Sends the mail. Throws Invalid.
void request_email(db::Write&, UserId, std::string_view email);
bool awaits_confirmation(const User&);
// Whose address this secret may confirm: it is the last one sent, and at most two days old.
std::optional<User> find_by_confirmation_secret(db::Read&, std::string_view secret);
// The user whose address the secret confirmed; nothing when it is unknown or older than two days. An address
// that was taken by somebody meanwhile is dropped.
std::optional<UserId> confirm_by_secret(db::Write&, std::string_view secret);

void request_password_reset(db::Write&, UserId);
// Whose password may be changed with this secret: it is at most six hours old and not used.
std::optional<User> find_by_reset_secret(db::Read&, std::string_view secret);

}  // namespace accounts
