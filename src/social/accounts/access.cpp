// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/access.hpp"

namespace accounts {

const db::Query<base::TokenId> live_tokens_of{
    "live_tokens_of", "SELECT id FROM tokens WHERE user_id = $1 AND revoked_at IS NULL ORDER BY id"
};
const db::Command revoke_tokens_of{
    "revoke_tokens_of", "UPDATE tokens SET revoked_at = $2 WHERE user_id = $1 AND revoked_at IS NULL"
};
const db::Command delete_codes_of{"delete_codes_of", "DELETE FROM authorization_codes WHERE user_id = $1"};
const db::Command delete_sessions_of{"delete_sessions_of", "DELETE FROM web_sessions WHERE user_id = $1"};

void end_access(db::Write& db, base::UserId user) {
    TokensRevoked event{db.all(live_tokens_of, user)};
    db.run(revoke_tokens_of, user, db.now());
    db.run(delete_codes_of, user);
    db.run(delete_sessions_of, user);
    if (!event.tokens.empty()) db.emit(event);
}

}  // namespace accounts
