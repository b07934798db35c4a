// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/oauth/session.hpp"

#include "base/crypto.hpp"
#include "social/accounts/users/access.hpp"

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
    R"(SELECT s.id AS session, u.id AS "user", a.id AS account, a.username
       FROM web_sessions s JOIN users u ON u.id = s.user_id JOIN accounts a ON a.id = u.account_id
       WHERE s.secret_hash = $1 AND s.created_at > $2 AND u.confirmed_at IS NOT NULL AND u.approved
         AND NOT u.disabled AND NOT a.memorial AND a.suspended_at IS NULL)"
};

std::optional<Person> find_person(db::Read& db, std::string_view secret) {
    if (secret.empty()) return std::nullopt;
    return db.maybe(person_of_session, base::sha256_hex(secret), db.now().plus_seconds(-lifetime));
}

const db::Command insert_session{
    "insert_session",
    R"(INSERT INTO web_sessions (id, secret_hash, user_id, address, user_agent, created_at)
       VALUES ($1, $2, $3, $4, $5, $6))"
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
        db.now()
    );
    accounts::end_sessions(db, db.all(oldest_sessions, user, most_of_user));
    return secret;
}

void end_session(db::Write& db, base::SessionId id) { accounts::end_sessions(db, {id}); }

}  // namespace oauth
