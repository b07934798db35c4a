// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/oauth/token.hpp"

#include "base/crypto.hpp"
#include "social/accounts/users/access.hpp"
#include "social/oauth/app.hpp"

namespace oauth {

namespace {

// A program that asks for a token at every start must not fill the table.
constexpr std::int64_t most_of_app = 10, most_of_user = 100;
constexpr std::int64_t day = 86'400;

void announce_revoked(db::Write& db, std::vector<TokenId> tokens) {
    if (!tokens.empty()) db.emit(accounts::TokensRevoked{std::move(tokens)});
}

}  // namespace

const db::Command insert_token{
    "insert_token",
    "INSERT INTO tokens (id, token_hash, app_id, user_id, scopes, created_at) VALUES ($1, $2, $3, $4, $5, $6)"
};
const db::Query<TokenId> hoarded_by_app{
    "hoarded_by_app",
    R"(SELECT id FROM tokens WHERE app_id = $1 AND user_id IS NULL AND revoked_at IS NULL
       ORDER BY id DESC LIMIT 100 OFFSET $2)"
};
const db::Query<TokenId> hoarded_for_user{
    "hoarded_for_user",
    R"(SELECT id FROM tokens WHERE app_id = $1 AND user_id = $2 AND revoked_at IS NULL
       ORDER BY id DESC LIMIT 100 OFFSET $3)"
};

Issued issue_token(db::Write& db, AppId app, UserId user, std::string_view scopes) {
    Issued made{db.new_id<TokenId>(), base::random_token(), std::string(scopes), db.now()};
    std::optional<UserId> owner;
    if (user) owner = user;
    db.run(insert_token, made.id, base::sha256_hex(made.token), app, owner, scopes, db.now());
    auto hoarded =
        user ? db.all(hoarded_for_user, app, user, most_of_user) : db.all(hoarded_by_app, app, most_of_app);
    for (auto old : hoarded) revoke(db, old);
    return made;
}

TokenEntity entity(const Issued& issued) {
    return {issued.token, "Bearer", issued.scopes, issued.created_at.ms / 1000};
}

const db::Query<LiveToken> live_token{
    "live_token",
    "SELECT id, app_id, user_id, scopes, created_at FROM tokens WHERE token_hash = $1 AND revoked_at IS NULL"
};

std::optional<LiveToken> find_live(db::Read& db, std::string_view token) {
    return db.maybe(live_token, base::sha256_hex(token));
}

const db::Query<LiveToken> live_token_by_id{
    "live_token_by_id",
    "SELECT id, app_id, user_id, scopes, created_at FROM tokens WHERE id = $1 AND revoked_at IS NULL"
};

std::optional<LiveToken> find_live(db::Read& db, TokenId id) { return db.maybe(live_token_by_id, id); }

const db::Query<std::string> allowed_scopes{
    "allowed_scopes",
    "SELECT DISTINCT scopes FROM tokens WHERE user_id = $1 AND app_id = $2 AND revoked_at IS NULL"
};

bool has_allowed(db::Read& db, UserId user, AppId app, std::string_view scopes) {
    for (const auto& allowed : db.all(allowed_scopes, user, app))
        if (includes(allowed, scopes)) return true;
    return false;
}

const db::Command revoke_token{
    "revoke_token", "UPDATE tokens SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL"
};

void revoke(db::Write& db, TokenId id) {
    if (db.run(revoke_token, id, db.now()) > 0) announce_revoked(db, {id});
}

const db::Query<TokenId> live_tokens_of_app{
    "live_tokens_of_app",
    "SELECT id FROM tokens WHERE user_id = $1 AND app_id = $2 AND revoked_at IS NULL ORDER BY id"
};
const db::Command revoke_tokens_of_app{
    "revoke_tokens_of_app",
    "UPDATE tokens SET revoked_at = $3 WHERE user_id = $1 AND app_id = $2 AND revoked_at IS NULL"
};
const db::Command delete_codes_for_app{
    "delete_codes_for_app", "DELETE FROM authorization_codes WHERE user_id = $1 AND app_id = $2"
};

void revoke_all(db::Write& db, UserId user, AppId app) {
    auto tokens = db.all(live_tokens_of_app, user, app);
    db.run(revoke_tokens_of_app, user, app, db.now());
    db.run(delete_codes_for_app, user, app);
    announce_revoked(db, std::move(tokens));
}

const db::Query<AuthorizedApp> authorized_apps{
    "authorized_apps",
    R"(SELECT a.id, a.name, a.website, MIN(t.created_at) AS since, MAX(t.last_used_at) AS last_used_at
       FROM tokens t JOIN apps a ON a.id = t.app_id
       WHERE t.user_id = $1 AND t.revoked_at IS NULL AND a.client_id <> 'web' GROUP BY a.id, a.name, a.website ORDER BY a.name, a.id)"
};

std::vector<AuthorizedApp> apps_of(db::Read& db, UserId user) { return db.all(authorized_apps, user); }

const db::Command purge_tokens{
    "purge_tokens", "DELETE FROM tokens WHERE id IN (SELECT id FROM tokens WHERE revoked_at < $1 LIMIT 500)"
};
const db::Command purge_codes{
    "purge_codes",
    R"(DELETE FROM authorization_codes
       WHERE code_hash IN (SELECT code_hash FROM authorization_codes WHERE created_at < $1 LIMIT 500))"
};
const db::Query<base::SessionId> old_sessions{
    "old_sessions", "SELECT id FROM web_sessions WHERE created_at < $1 LIMIT 500"
};

// Revoked tokens stay for a month, so that their holders hear "was revoked"; used codes for a day, so that their
// theft is noticed.
void purge(db::Write& db) {
    db.run(purge_tokens, db.now().plus_seconds(-30 * day));
    db.run(purge_codes, db.now().plus_seconds(-day));
    accounts::end_sessions(db, db.all(old_sessions, db.now().plus_seconds(-365 * day)));
}

}  // namespace oauth
