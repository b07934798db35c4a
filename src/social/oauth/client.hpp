// SPDX-License-Identifier: AGPL-3.0-or-later
// How an app proves who it is at the token endpoints, and how those say no (RFC 6749, 5.2).
#pragma once
#include "http/message.hpp"
#include "social/oauth/app.hpp"

namespace oauth {

// By HTTP Basic, else by the parameters. Nothing when there is no such app or the secret is wrong.
std::optional<App> authenticated_app(
    db::Read&, const http::Request&, std::string_view client_id, std::string_view client_secret
);

http::Response refusal(int status, std::string_view error, std::string_view description);
http::Response invalid_client();
// Nothing between us and the app may keep this answer.
http::Response secret_json(std::string body);

}  // namespace oauth
