// SPDX-License-Identifier: AGPL-3.0-or-later
// Access tokens: issued, found, revoked. Only the SHA-256 of a token is stored, so that it is told exactly once;
// asking again for the same app, user and scopes gives another token (docs: decisions).
#pragma once
#include "db/session.hpp"
#include "http/viewer.hpp"
#include "social/accounts/users/user.hpp"
#include "social/oauth/app.hpp"

namespace oauth {

using base::TokenId;
using base::UserId;

struct Issued {
    TokenId id;
    std::string token, scopes;
    base::Time created_at;
};

// `user` may be none: an app's own token. The oldest tokens go when an app hoards them.
Issued issue_token(db::Write&, AppId, UserId user, std::string_view scopes);

// Entity Token.
struct TokenEntity {
    static constexpr std::string_view entity = "Token";

    std::string access_token, token_type, scope;
    std::int64_t created_at = 0;
};
DESCRIBE(TokenEntity, access_token, token_type, scope, created_at)
TokenEntity entity(const Issued&);

struct LiveToken {
    TokenId id;
    AppId app_id;
    UserId user_id;
    std::string scopes;
    base::Time created_at;
};
DESCRIBE(LiveToken, id, app_id, user_id, scopes, created_at)

std::optional<LiveToken> find_live(db::Read&, std::string_view token);
std::optional<LiveToken> find_live(db::Read&, TokenId);
// Whether the user lets the app do all this already.
bool has_allowed(db::Read&, UserId, AppId, std::string_view scopes);

void revoke(db::Write&, TokenId);
void revoke_all(db::Write&, UserId, AppId);

struct AuthorizedApp {
    AppId id;
    std::string name;
    std::optional<std::string> website;
    base::Time since;
    std::optional<base::Time> last_used_at;
};
DESCRIBE(AuthorizedApp, id, name, website, since, last_used_at)
// Without our own web client, whose tokens are those of sessions.
std::vector<AuthorizedApp> apps_of(db::Read&, UserId);

// Revoked tokens, codes and sessions past their time: rows nobody needs. A few hundred a time.
void purge(db::Write&);

// What a bearer token stands for: one query, because it runs for every request.
struct Known : http::Credentials {
    bool noted = true;  // false: its last use is to be written down, see note_use
};

Known look_up(db::Read&, std::string_view token);
void expect_token(db::Read&, std::string_view token);  // db::Read::expect
inline http::Credentials credentials(db::Read& db, std::string_view token) { return look_up(db, token); }

// What everybody's session may do; who has a role with rights over others may use those, too.
constexpr std::string_view session_scopes = "read write follow push";

// Which of these tokens still let their users in.
std::vector<base::TokenId> usable(db::Read&, const std::vector<base::TokenId>&);

// Writes down, at most once a day, that the token was used and its user is active.
void note_use(db::Write&, const http::TokenHolder&);

// What an operator's commands do to logins. The commands themselves are in cli/.

// A token of the internal app "Command line" for a local account. Throws NotFound without such a user, Invalid for
// unknown scopes.
std::string create_token(db::Write&, std::string_view username, std::string_view scopes);

struct NewLogin {
    std::string username, email, password_hash;
    std::string role;  // empty: none
    bool confirmed = true, approved = true;
};
accounts::UserId create_login(db::Write&, const NewLogin&);  // throws Invalid

}  // namespace oauth
