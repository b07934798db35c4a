// SPDX-License-Identifier: AGPL-3.0-or-later
// An authorization request (RFC 6749, 4.1; RFC 7636): what an app asks of a user by sending the browser here, and
// the answer it gets by a redirect.
#pragma once
#include "http/message.hpp"
#include "social/instance/html.hpp"
#include "social/oauth/app.hpp"
#include "social/oauth/pages/visitor.hpp"

namespace oauth {

struct AuthorizationRequest {
    std::string response_type, client_id, redirect_uri, scope, state, code_challenge, code_challenge_method;
    std::string response_mode, lang;
    bool force_login = false;
    bool consent = false;  // ours: asked to sign in again already, but do not skip the question
};
DESCRIBE(
    AuthorizationRequest, response_type, client_id, redirect_uri, scope, state, code_challenge,
    code_challenge_method, response_mode, lang, force_login, consent
)

// Either an app and its scopes, or what is wrong. A wrong request is never answered by a redirect.
struct CheckedRequest {
    std::optional<App> app;
    std::string scopes;
    int status = 200;
    std::string_view problem;
};
CheckedRequest checked(db::Read&, const AuthorizationRequest&);

// The request as a path of ours, for coming back after signing in; it no longer forces that.
std::string path_of(const AuthorizationRequest&);
// The request as the hidden fields of a form.
void add_hidden_fields(instance::View&, const AuthorizationRequest&);

using Answer = std::vector<std::pair<std::string_view, std::string>>;
// Carries the answer to the app (checked before) the way it asked for; `state` is added.
http::Response deliver(const base::Site&, const Visitor&, const AuthorizationRequest&, Answer);

}  // namespace oauth
