// SPDX-License-Identifier: AGPL-3.0-or-later
// What a login asks for besides the password: a code of an authenticator app or a passkey (passkey.hpp). Who has lost both
// has recovery codes, of which each is good once. A stolen password alone signs nobody in.
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
// Whether the role asks for one and there is none: until then the login opens nothing but the page where it is set up.
bool lacks_second_factor(db::Read&, UserId);

// ---- the authenticator ----

// A new key, which counts once a code of it was given.
void begin_authenticator(db::Write&, UserId);
std::optional<std::string> unconfirmed_key(db::Read&, UserId);  // bytes
bool confirm_authenticator(db::Write&, UserId, std::string_view code);
void remove_authenticator(db::Write&, UserId);

// ---- recovery codes ----

// Ten, told here alone: hashes are stored. Those of before are good no more.
std::vector<std::string> new_recovery_codes(db::Write&, UserId);

// ---- signing in ----

constexpr std::int64_t most_wrong_codes = 20;  // of a user in 24 hours

// What is stored of a recovery code that came along from another server, where `code` is one; else empty. Costs CPU for each that
// is left of them.
std::string other_recovery_code(const base::Ask&, db::Read&, UserId, std::string_view code);
// A code of the authenticator or a recovery code, of which `other` is what other_recovery_code() found. It is used up.
bool take_code(
    db::Write&, UserId, std::string_view code, std::string_view address, const std::string& other = {}
);
bool may_try_codes(db::Read&, UserId);

// All of it, for who has lost all of it.
void remove_second_factors(db::Write&, UserId);

// ---- what happened to a login ----

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
void purge_security_events(db::Write&);                                   // periodic: those of a year ago

// Event: the user is written to.
struct SecurityNoted {
    UserId user;
    SecurityKind kind = SecurityKind::signed_in;
    std::string email;  // as it was then: who it warns of may be about to change it
};
DESCRIBE(SecurityNoted, user, kind, email)
// `wrong_code`: somebody has the password.
void warn_of(db::Write&, UserId, SecurityKind);
void mail_security(const base::Ask&, db::Read&, const SecurityNoted&);  // reaction

// ---- for this folder, and for the end of a login ----

void settle_second_factor(db::Write&, UserId);  // after something was added or removed
void forget_second_factors(db::Write&, UserId);

}  // namespace accounts
