// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/oauth/app.hpp"
#include "social/oauth/code.hpp"

namespace oauth {

namespace {

// ---- POST /oauth/token ----

struct TokenForm {
    std::string grant_type, client_id, client_secret, code, redirect_uri, code_verifier, scope;
};
DESCRIBE(TokenForm, grant_type, client_id, client_secret, code, redirect_uri, code_verifier, scope)

http::Response told(const Issued& issued) { return secret_json(base::json::to_string(entity(issued))); }

http::Response missing(std::string_view name) {
    return refusal(400, "invalid_request", "Missing required parameter: " + std::string(name) + ".");
}

http::Response by_code(db::Write& db, const App& app, const TokenForm& form) {
    if (form.code.empty()) return missing("code");
    if (form.redirect_uri.empty()) return missing("redirect_uri");
    auto redeemed = redeem_code(db, app.id, {form.code, form.redirect_uri, form.code_verifier});
    if (redeemed.token) return told(*redeemed.token);
    if (redeemed.refusal == Refusal::verifier_missing) return missing("code_verifier");
    return refusal(
        400,
        "invalid_grant",
        "The provided authorization grant is invalid, expired, revoked, does not match the redirection URI "
        "used in "
        "the authorization request, or was issued to another client."
    );
}

http::Response for_app(db::Write& db, const App& app, const TokenForm& form) {
    auto scopes = normal_scopes(form.scope);
    if (!scopes || !includes(app.scopes, *scopes))
        return refusal(400, "invalid_scope", "The requested scope is invalid, unknown, or malformed.");
    return told(issue_token(db, app.id, {}, *scopes));
}

http::Response exchange(db::Write& db, const http::Request& request, const TokenForm& form) {
    if (form.grant_type.empty()) return missing("grant_type");
    bool code = form.grant_type == "authorization_code";
    if (!code && form.grant_type != "client_credentials")
        return refusal(
            400,
            "unsupported_grant_type",
            "The authorization grant type is not supported by the authorization server."
        );
    auto app = authenticated_app(db, request, form.client_id, form.client_secret);
    if (!app) return invalid_client();
    return code ? by_code(db, *app, form) : for_app(db, *app, form);
}

// ---- POST /oauth/revoke ----

struct RevokeForm {
    std::string token, client_id, client_secret;
};
DESCRIBE(RevokeForm, token, client_id, client_secret)

http::Response revoke_given(db::Write& db, const http::Request& request, const RevokeForm& form) {
    auto app = authenticated_app(db, request, form.client_id, form.client_secret);
    auto token = find_live(db, form.token);
    if (!app || (token && token->app_id != app->id))
        return refusal(403, "unauthorized_client", "You are not authorized to revoke this token");
    if (token) revoke(db, token->id);
    return secret_json("{}");
}

// ---- POST /oauth/introspect (RFC 7662) ----

struct Introspection {
    bool active = false;
    base::json::Omit<std::string> scope, client_id, token_type;
    base::json::Omit<std::int64_t> iat;
};
DESCRIBE(Introspection, active, scope, client_id, token_type, iat)

std::optional<App> asking_app(db::Read& db, const http::Request& request, const RevokeForm& form) {
    auto header = request.header("Authorization");
    if (!header.starts_with("Bearer "))
        return authenticated_app(db, request, form.client_id, form.client_secret);
    auto own = find_live(db, header.substr(7));
    if (!own) return std::nullopt;
    return app(db, own->app_id);
}

// An app hears of its own tokens only; all others are as good as unknown.
http::Response introspect(db::Read& db, const http::Request& request, const RevokeForm& form) {
    auto app = asking_app(db, request, form);
    if (!app) return invalid_client();
    Introspection out;
    auto token = find_live(db, form.token);
    if (token && token->app_id == app->id) {
        out.active = true;
        out.scope = token->scopes;
        out.client_id = app->client_id;
        out.token_type = std::string("Bearer");
        out.iat = token->created_at.ms / 1000;
    }
    return secret_json(base::json::to_string(out));
}

// ---- GET /oauth/token/info ----

struct ClientInfo {
    std::string uid;
};
DESCRIBE(ClientInfo, uid)

struct TokenInfo {
    std::optional<std::int64_t> resource_owner_id;
    std::vector<std::string> scope;
    std::optional<std::int64_t> expires_in;
    ClientInfo application;
    std::int64_t created_at = 0;
};
DESCRIBE(TokenInfo, resource_owner_id, scope, expires_in, application, created_at)

TokenInfo info(db::Read& db, const http::TokenHolder& holder) {
    auto token = find_live(db, holder.token);
    if (!token) throw base::Unauthorized();
    TokenInfo out{
        {}, words_of(token->scopes), {}, {app(db, token->app_id).client_id}, token->created_at.ms / 1000
    };
    if (token->user_id) out.resource_owner_id = token->user_id.value;
    return out;
}

// clang-format off
constexpr http::Route table[] = {
    http::post<exchange>    ("/oauth/token"),
    http::post<revoke_given>("/oauth/revoke"),
    http::post<introspect>  ("/oauth/introspect"),
    http::get<info>         ("/oauth/token/info"),
};
// clang-format on

}  // namespace

std::span<const http::Route> token_routes() { return table; }

}  // namespace oauth
