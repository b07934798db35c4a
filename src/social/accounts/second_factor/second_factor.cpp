// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/second_factor/second_factor.hpp"

#include "base/crypto.hpp"
#include "base/sign_in/authenticator.hpp"
#include "base/signing.hpp"
#include "base/text/blank.hpp"
#include "base/text/utf8.hpp"
#include "social/accounts/users/password.hpp"

namespace accounts {

namespace {

constexpr std::size_t code_length = 10, codes = 10, authenticator_digits = 6;
constexpr std::int64_t day = 86'400;

struct Authenticator {
    std::string secret;
    std::optional<Time> confirmed_at;
    std::int64_t last_step = 0;
};
DESCRIBE(Authenticator, secret, confirmed_at, last_step)

// As people type codes: with spaces and dashes, in either case.
std::string plain(std::string_view code) {
    std::string out;
    for (char c : code.substr(0, 64)) {
        if (c == ' ' || c == '-') continue;
        out += base::text::ascii_lower(c);
    }
    return out;
}

}  // namespace

// ---- what there is ----

const db::Query<SecondFactors> second_factors_of{
    "second_factors_of",
    R"(SELECT EXISTS (SELECT 1 FROM authenticators WHERE user_id = $1 AND confirmed_at IS NOT NULL) AS authenticator,
              (SELECT COUNT(*) FROM passkeys WHERE user_id = $1) AS passkeys,
              (SELECT COUNT(*) FROM recovery_codes WHERE user_id = $1) AS recovery_codes)"
};

SecondFactors second_factors(db::Read& db, UserId id) { return db.one(second_factors_of, id); }

const db::Query<bool> user_has_second_factor{
    "user_has_second_factor", "SELECT second_factor FROM users WHERE id = $1"
};

bool has_second_factor(db::Read& db, UserId id) {
    return db.maybe(user_has_second_factor, id).value_or(false);
}

const db::Query<bool> user_lacks_second_factor{
    "user_lacks_second_factor",
    R"(SELECT r.require_2fa AND NOT u.second_factor FROM users u JOIN roles r ON r.id = u.role_id WHERE u.id = $1)"
};

bool lacks_second_factor(db::Read& db, UserId id) {
    return db.maybe(user_lacks_second_factor, id).value_or(false);
}

const db::Command note_second_factor{
    "note_second_factor",
    R"(UPDATE users SET second_factor = EXISTS (
           SELECT 1 FROM authenticators a WHERE a.user_id = users.id AND a.confirmed_at IS NOT NULL)
           OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = users.id)
       WHERE id = $1)"
};
const db::Command delete_recovery_codes{
    "delete_recovery_codes", "DELETE FROM recovery_codes WHERE user_id = $1"
};

void settle_second_factor(db::Write& db, UserId id) {
    db.run(note_second_factor, id);
    if (!has_second_factor(db, id)) db.run(delete_recovery_codes, id);
}

// ---- the authenticator ----

const db::Query<Authenticator> authenticator_of{
    "authenticator_of", "SELECT secret, confirmed_at, last_step FROM authenticators WHERE user_id = $1"
};
const db::Command put_authenticator{
    "put_authenticator",
    R"(INSERT INTO authenticators (user_id, secret) VALUES ($1, $2)
       ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret WHERE authenticators.confirmed_at IS NULL)"
};
const db::Command set_authenticator_confirmed{
    "set_authenticator_confirmed",
    "UPDATE authenticators SET confirmed_at = $2, last_step = $3 WHERE user_id = $1 AND confirmed_at IS NULL"
};
const db::Command use_up_codes{
    "use_up_codes", "UPDATE authenticators SET last_step = $2 WHERE user_id = $1 AND last_step < $2"
};
const db::Command delete_authenticator{
    "delete_authenticator", "DELETE FROM authenticators WHERE user_id = $1"
};

void begin_authenticator(db::Write& db, UserId id) {
    db.run(put_authenticator, id, base::base64url(base::new_totp_key()));
}

std::optional<std::string> unconfirmed_key(db::Read& db, UserId id) {
    auto found = db.maybe(authenticator_of, id);
    if (!found || found->confirmed_at) return std::nullopt;
    return base::from_base64(found->secret);
}

bool confirm_authenticator(db::Write& db, UserId id, std::string_view code) {
    auto key = unconfirmed_key(db, id);
    auto step = key ? base::step_of_totp(*key, plain(code), db.now(), 0) : std::nullopt;
    if (!step) return false;
    db.run(set_authenticator_confirmed, id, db.now(), *step);
    settle_second_factor(db, id);
    return true;
}

void remove_authenticator(db::Write& db, UserId id) {
    db.run(delete_authenticator, id);
    settle_second_factor(db, id);
}

// ---- recovery codes ----

const db::Command insert_recovery_code{
    "insert_recovery_code", "INSERT INTO recovery_codes (user_id, code_hash) VALUES ($1, $2)"
};
const db::Command use_recovery_code{
    "use_recovery_code", "DELETE FROM recovery_codes WHERE user_id = $1 AND code_hash = $2"
};

std::vector<std::string> new_recovery_codes(db::Write& db, UserId id) {
    db.run(delete_recovery_codes, id);
    std::vector<std::string> out;
    while (out.size() < codes) {
        auto code = plain(base::base32(base::random_bytes(code_length)).substr(0, code_length));
        db.run(insert_recovery_code, id, base::sha256_hex(code));
        out.push_back(code.substr(0, code_length / 2) + "-" + code.substr(code_length / 2));
    }
    return out;
}

// ---- signing in ----

namespace {

bool take_authenticator_code(db::Write& db, UserId id, std::string_view code) {
    auto found = db.maybe(authenticator_of, id);
    if (!found || !found->confirmed_at) return false;
    auto key = base::from_base64(found->secret);
    auto step = key ? base::step_of_totp(*key, code, db.now(), found->last_step) : std::nullopt;
    return step && db.run(use_up_codes, id, *step) > 0;
}

}  // namespace

// Ours are SHA-256 in 64 digits; those of other servers are hashed as passwords are.
const db::Query<std::string> other_recovery_codes{
    "other_recovery_codes",
    "SELECT code_hash FROM recovery_codes WHERE user_id = $1 AND length(code_hash) <> 64"
};

std::string other_recovery_code(const base::Ask& ask, db::Read& db, UserId id, std::string_view given) {
    const std::string code(base::text::trimmed(given));
    // As long as those of an authenticator are, none is.
    constexpr std::size_t longest = 64;
    if (plain(code).size() <= authenticator_digits || code.size() > longest) return {};
    auto hashes = db.all(other_recovery_codes, id);
    return hashes.empty() ? std::string() : ask(FindHash{std::move(hashes), code});
}

bool take_code(
    db::Write& db, UserId id, std::string_view given, std::string_view address, const std::string& other
) {
    auto code = plain(given);
    if (take_authenticator_code(db, id, code)) return true;
    const bool own = code.size() == code_length && db.run(use_recovery_code, id, base::sha256_hex(code)) > 0;
    if (!own && (other.empty() || db.run(use_recovery_code, id, other) == 0)) return false;
    note_security(db, id, SecurityKind::recovery_code_used, address);
    warn_of(db, id, SecurityKind::recovery_code_used);
    return true;
}

const db::Query<std::int64_t> wrong_codes_since{
    "wrong_codes_since",
    "SELECT COUNT(*) FROM security_events WHERE user_id = $1 AND kind = 'wrong_code' AND at > $2"
};

bool may_try_codes(db::Read& db, UserId id) {
    return db.one(wrong_codes_since, id, db.now().plus_seconds(-day)) < most_wrong_codes;
}

// ---- the end ----

const db::Command delete_passkeys_of{"delete_passkeys_of", "DELETE FROM passkeys WHERE user_id = $1"};
const db::Command delete_security_events_of{
    "delete_security_events_of", "DELETE FROM security_events WHERE user_id = $1"
};

void remove_second_factors(db::Write& db, UserId id) {
    db.run(delete_authenticator, id);
    db.run(delete_passkeys_of, id);
    settle_second_factor(db, id);
    note_security(db, id, SecurityKind::second_factor_removed, "");
    warn_of(db, id, SecurityKind::second_factor_removed);
}

void forget_second_factors(db::Write& db, UserId id) {
    db.run(delete_authenticator, id);
    db.run(delete_passkeys_of, id);
    db.run(delete_recovery_codes, id);
    db.run(delete_security_events_of, id);
}

// ---- what happened ----

const db::Command insert_security_event{
    "insert_security_event",
    "INSERT INTO security_events (id, user_id, kind, address, at) VALUES ($1, $2, $3, $4, $5)"
};
const db::Query<SecurityEvent> latest_security_events{
    "latest_security_events",
    "SELECT kind, address, at FROM security_events WHERE user_id = $1 ORDER BY id DESC LIMIT $2"
};
const db::Command purge_old_security_events{
    "purge_old_security_events",
    "DELETE FROM security_events WHERE id IN (SELECT id FROM security_events WHERE at < $1 ORDER BY at LIMIT "
    "500)"
};

void note_security(db::Write& db, UserId id, SecurityKind kind, std::string_view address) {
    db.run(insert_security_event, db.new_id<base::Id<SecurityEvent>>(), id, kind, address, db.now());
}

std::vector<SecurityEvent> security_events(db::Read& db, UserId id, int most) {
    return db.all(latest_security_events, id, most);
}

void purge_security_events(db::Write& db) {
    db.run(purge_old_security_events, db.now().plus_seconds(-365 * day));
}

void warn_of(db::Write& db, UserId id, SecurityKind kind) {
    if (auto user = find_user(db, id)) db.emit(SecurityNoted{id, kind, user->email});
}

}  // namespace accounts
