// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/oauth/attempt.hpp"

#include "base/crypto.hpp"
#include "social/accounts/second_factor/second_factor.hpp"

namespace oauth {

const db::Command insert_attempt{
    "insert_attempt",
    R"(INSERT INTO sign_in_attempts (secret_hash, user_id, return_to, adds, shared, created_at)
       VALUES ($1, $2, $3, $4, $5, $6))"
};
const db::Query<Attempt> attempt_by_secret{
    "attempt_by_secret",
    R"(SELECT user_id AS "user", return_to, adds, shared, wrong FROM sign_in_attempts
       WHERE secret_hash = $1 AND created_at > $2 AND wrong < $3)"
};
const db::Command count_wrong_code{
    "count_wrong_code", "UPDATE sign_in_attempts SET wrong = wrong + 1 WHERE secret_hash = $1"
};
const db::Command delete_attempt{"delete_attempt", "DELETE FROM sign_in_attempts WHERE secret_hash = $1"};
const db::Command delete_old_sign_in_attempts{
    "delete_old_sign_in_attempts",
    R"(DELETE FROM sign_in_attempts WHERE secret_hash IN
           (SELECT secret_hash FROM sign_in_attempts WHERE created_at < $1 ORDER BY created_at LIMIT 100))"
};

std::string begin_attempt(db::Write& db, const Attempt& attempt) {
    auto secret = base::random_token();
    db.run(delete_old_sign_in_attempts, db.now().plus_seconds(-attempt_lasts_seconds));
    db.run(
        insert_attempt,
        base::sha256_hex(secret),
        attempt.user,
        attempt.return_to,
        attempt.adds,
        attempt.shared,
        db.now()
    );
    return secret;
}

std::optional<Attempt> find_attempt(db::Read& db, std::string_view secret) {
    if (secret.empty()) return std::nullopt;
    return db.maybe(
        attempt_by_secret, base::sha256_hex(secret), db.now().plus_seconds(-attempt_lasts_seconds), most_wrong
    );
}

void note_wrong_code(db::Write& db, std::string_view secret, std::string_view address) {
    auto attempt = find_attempt(db, secret);
    if (!attempt) return;
    db.run(count_wrong_code, base::sha256_hex(secret));
    accounts::note_security(db, attempt->user, accounts::SecurityKind::wrong_code, address);
    if (attempt->wrong + 1 == most_wrong)
        accounts::warn_of(db, attempt->user, accounts::SecurityKind::wrong_code);
}

void end_attempt(db::Write& db, std::string_view secret) { db.run(delete_attempt, base::sha256_hex(secret)); }

}  // namespace oauth
