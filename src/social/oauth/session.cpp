// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/oauth/session.hpp"

#include "base/crypto.hpp"
#include "base/signing.hpp"
#include "social/accounts/administering.hpp"
#include "social/accounts/users/access.hpp"
#include "social/oauth/app.hpp"

namespace oauth {

namespace {

constexpr std::int64_t lifetime = 365 * 86'400;
constexpr std::int64_t most_of_user = 20;
constexpr std::size_t longest_user_agent = 300;

// Headers may hold any bytes; tables hold text.
std::string printable(std::string_view text) {
    std::string out(text.substr(0, longest_user_agent));
    std::erase_if(out, [](char c) { return c < ' ' || c > '~'; });
    return out;
}

}  // namespace

const db::Query<Person> person_of_session{
    "person_of_session",
    R"(SELECT s.id AS session, u.id AS "user", a.id AS account, a.username, u.locale, s.token_id AS token,
              s.confirmed_at, r.require_2fa AND NOT u.second_factor AS needs_second_factor,
              u.disabled OR a.suspended_at IS NOT NULL AS shut_out
       FROM web_sessions s JOIN users u ON u.id = s.user_id JOIN accounts a ON a.id = u.account_id
            JOIN roles r ON r.id = u.role_id
       WHERE s.secret_hash = $1 AND s.created_at > $2 AND u.confirmed_at IS NOT NULL AND u.approved
         AND NOT a.memorial)"
};

std::optional<Person> find_person_or_shut_out(db::Read& db, std::string_view secret) {
    if (secret.empty()) return std::nullopt;
    return db.maybe(person_of_session, base::sha256_hex(secret), db.now().plus_seconds(-lifetime));
}

std::optional<Person> find_person(db::Read& db, std::string_view secret) {
    auto found = find_person_or_shut_out(db, secret);
    return found && !found->shut_out ? found : std::nullopt;
}

const db::Command insert_session{
    "insert_session",
    R"(INSERT INTO web_sessions (id, secret_hash, user_id, address, user_agent, created_at, confirmed_at, token_id)
       VALUES ($1, $2, $3, $4, $5, $6, $6, $7))"
};
const db::Query<base::SessionId> oldest_sessions{
    "oldest_sessions", "SELECT id FROM web_sessions WHERE user_id = $1 ORDER BY id DESC LIMIT 100 OFFSET $2"
};

std::string begin_session(
    db::Write& db, base::UserId user, std::string_view address, std::string_view user_agent
) {
    auto secret = base::random_token();
    db.run(
        insert_session,
        db.new_id<base::SessionId>(),
        base::sha256_hex(secret),
        user,
        address,
        printable(user_agent),
        db.now(),
        issue_token(db, web_app(db), user, session_scopes).id
    );
    accounts::note_address(db, user, address);
    accounts::end_sessions(db, db.all(oldest_sessions, user, most_of_user));
    return secret;
}

const db::Query<OpenSession> open_sessions{
    "open_sessions",
    R"(SELECT s.id, s.address, s.user_agent, s.created_at, t.last_used_at
       FROM web_sessions s LEFT JOIN tokens t ON t.id = s.token_id WHERE s.user_id = $1 ORDER BY s.id DESC)"
};

std::vector<OpenSession> sessions_of(db::Read& db, base::UserId user) { return db.all(open_sessions, user); }

void end_session(db::Write& db, base::SessionId id) { accounts::end_sessions(db, {id}); }

const db::Command confirm_web_session{
    "confirm_web_session", "UPDATE web_sessions SET confirmed_at = $2 WHERE id = $1"
};

void confirm_session(db::Write& db, base::SessionId id) { db.run(confirm_web_session, id, db.now()); }

namespace {

std::string bytes_of_proof(std::string_view secret) { return base::hmac_sha256(secret, "api"); }

std::string masked(std::string_view text, std::string_view mask) {
    std::string out(text);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<char>(out[i] ^ mask[i]);
    return out;
}

}  // namespace

std::string proof_for_scripts(std::string_view secret) { return base::base64url(bytes_of_proof(secret)); }

std::string masked_proof(std::string_view secret) {
    auto mask = base::sha256(base::random_token());
    return base::base64url(mask + masked(bytes_of_proof(secret), mask));
}

bool is_proof(std::string_view secret, std::string_view given) {
    auto proof = bytes_of_proof(secret);
    auto bytes = base::from_base64(given).value_or("");
    if (bytes.size() != 2 * proof.size()) return base::same_secret(proof, bytes);
    auto mask = std::string_view(bytes).substr(0, proof.size());
    return base::same_secret(masked(proof, mask), std::string_view(bytes).substr(proof.size()));
}

}  // namespace oauth
