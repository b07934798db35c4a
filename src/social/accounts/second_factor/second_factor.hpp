// SPDX-License-Identifier: AGPL-3.0-or-later
// What a login requires besides the password: a code of an authenticator app or a passkey (passkey.hpp).
// Single-use recovery codes serve as a replacement. A stolen password alone signs nobody in.
#pragma once
#include "base/ask.hpp"
#include "social/accounts/users/user.hpp"

namespace accounts {

struct SecondFactors {
    bool authenticator = false;
    std::int64_t passkeys = 0, recovery_codes = 0;

    bool any() const { return authenticator || passkeys > 0; }
};
DESCRIBE(SecondFactors, authenticator, passkeys, recovery_codes)
SecondFactors second_factors(db::Read&, UserId);
bool has_second_factor(db::Read&, UserId);
// Whether the role requires a second factor that is missing: until then the login can only open the page that
// sets it up.
bool lacks_second_factor(db::Read&, UserId);

// ---- the authenticator ----

// Creates a key, which becomes effective once a code of it was confirmed.
void begin_authenticator(db::Write&, UserId);
std::optional<std::string> unconfirmed_key(db::Read&, UserId);  // bytes
bool confirm_authenticator(db::Write&, UserId, std::string_view code);
void remove_authenticator(db::Write&, UserId);

// ---- recovery codes ----

// Ten codes, returned only here: hashes are stored. Earlier codes become invalid.
std::vector<std::string> new_recovery_codes(db::Write&, UserId);

// ---- signing in ----

constexpr std::int64_t most_wrong_codes = 20;  // of a user in 24 hours

// The stored hash of a recovery code imported from another server, if `code` matches one; otherwise empty.
// Costs CPU for each remaining code.
std::string other_recovery_code(const base::Ask&, db::Read&, UserId, std::string_view code);
// Checks a code of the authenticator or a recovery code, which is used up; `other` is the result of
// other_recovery_code().
bool take_code(
    db::Write&, UserId, std::string_view code, std::string_view address, const std::string& other = {}
);
bool may_try_codes(db::Read&, UserId);

// For a user who has lost all of them.
void remove_second_factors(db::Write&, UserId);

// Security events of a login.

BOOST_DEFINE_ENUM_CLASS(
    SecurityKind, signed_in, wrong_code, recovery_code_used, authenticator_added, authenticator_removed,
    passkey_added, passkey_removed, recovery_codes_made, second_factor_removed, password_changed,
    email_change_requested
)
struct SecurityEvent {
    SecurityKind kind = SecurityKind::signed_in;
    std::string address;
    Time at;
};
DESCRIBE(SecurityEvent, kind, address, at)

void note_security(db::Write&, UserId, SecurityKind, std::string_view address);
std::vector<SecurityEvent> security_events(db::Read&, UserId, int most);  // newest first
void purge_security_events(db::Write&);  // periodic: deletes those older than a year

// Event: the user gets a warning by mail.
struct SecurityNoted {
    UserId user;
    SecurityKind kind = SecurityKind::signed_in;
    std::string email;  // the address at that time: an attacker may be about to change it
};
DESCRIBE(SecurityNoted, user, kind, email)
// `wrong_code`: somebody knows the password.
void warn_of(db::Write&, UserId, SecurityKind);
void mail_security(const base::Ask&, db::Read&, const SecurityNoted&);  // reaction

// Internal to this folder, and for removing a login.

void settle_second_factor(db::Write&, UserId);  // after something was added or removed
void forget_second_factors(db::Write&, UserId);

}  // namespace accounts
