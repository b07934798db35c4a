// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/access.hpp"

namespace accounts {

const db::Query<base::TokenId> live_tokens_of{
    "live_tokens_of", "SELECT id FROM tokens WHERE user_id = $1 AND revoked_at IS NULL ORDER BY id"
};
const db::Command revoke_tokens_of{
    "revoke_tokens_of", "UPDATE tokens SET revoked_at = $2 WHERE user_id = $1 AND revoked_at IS NULL"
};
const db::Command delete_codes_of{"delete_codes_of", "DELETE FROM authorization_codes WHERE user_id = $1"};
const db::Command delete_sign_in_attempts_of{
    "delete_sign_in_attempts_of", "DELETE FROM sign_in_attempts WHERE user_id = $1"
};
const db::Query<base::SessionId> sessions_of{"sessions_of", "SELECT id FROM web_sessions WHERE user_id = $1"};
// A session's token is revoked with it.
const db::Query<base::TokenId> tokens_of_sessions{
    "tokens_of_sessions",
    R"(SELECT t.id FROM web_sessions s JOIN tokens t ON t.id = s.token_id
       WHERE s.id IN LIST($1) AND t.revoked_at IS NULL ORDER BY t.id)"
};
const db::Command revoke_listed_tokens{
    "revoke_listed_tokens", "UPDATE tokens SET revoked_at = $2 WHERE id IN LIST($1)"
};
const db::Command delete_sessions{"delete_sessions", "DELETE FROM web_sessions WHERE id IN LIST($1)"};

void end_sessions(db::Write& db, const std::vector<base::SessionId>& sessions) {
    if (sessions.empty()) return;
    TokensRevoked event{db.all(tokens_of_sessions, sessions)};
    db.run(delete_sessions, sessions);
    db.emit(SessionsEnded{sessions});
    if (event.tokens.empty()) return;
    db.run(revoke_listed_tokens, event.tokens, db.now());
    db.emit(event);
}

void end_access(db::Write& db, base::UserId user) {
    TokensRevoked event{db.all(live_tokens_of, user)};
    db.run(revoke_tokens_of, user, db.now());
    db.run(delete_codes_of, user);
    db.run(delete_sign_in_attempts_of, user);
    end_sessions(db, db.all(sessions_of, user));
    if (!event.tokens.empty()) db.emit(event);
}

}  // namespace accounts
