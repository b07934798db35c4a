// SPDX-License-Identifier: AGPL-3.0-or-later
// The caller. oauth turns a token into Credentials; dispatch turns those into the Viewer that an endpoint
// names in its signature.
#pragma once
#include "base/ids.hpp"
#include "http/scopes.hpp"

#include <optional>
#include <string>

namespace http {

// A logged-in user, with a token or (on pages) a web session.
struct Viewer {
    base::AccountId account;
    base::UserId user;
    base::TokenId token;
    base::AppId app;
    base::SessionId session;  // none if authenticated by a token
    std::int64_t account_version = 0;
    std::int64_t relations_version = 0;  // incremented when the viewer's follows, blocks, mutes … change
    std::int64_t permissions = 0;        // role bits
    std::string locale;
};

// A live token of any kind; without a user it is the app's own.
struct TokenHolder {
    base::TokenId token;
    base::AppId app;
    std::optional<base::UserId> user;
    Scopes scopes;
};

enum class TokenState { unknown, revoked, live };

// What a token stands for. `problem` is a sentence that says why this user may not use user endpoints
// (unconfirmed, pending, disabled); `suspended` blocks every endpoint.
struct Credentials {
    TokenState state = TokenState::unknown;
    TokenHolder holder;
    std::optional<Viewer> viewer;
    std::string problem;
    bool suspended = false;
};

}  // namespace http
