// SPDX-License-Identifier: AGPL-3.0-or-later
// What apps may know about this authorization server (RFC 8414), and who the user of a token is (OpenID-like).
#include "http/route.hpp"
#include "social/accounts/account.hpp"

namespace oauth {

namespace {

struct Metadata {
    std::string issuer, authorization_endpoint, token_endpoint, revocation_endpoint, introspection_endpoint;
    std::string userinfo_endpoint, app_registration_endpoint, service_documentation;
    std::vector<std::string> scopes_supported, response_types_supported, response_modes_supported;
    std::vector<std::string> grant_types_supported, token_endpoint_auth_methods_supported;
    std::vector<std::string> code_challenge_methods_supported;
};
DESCRIBE(
    Metadata, issuer, authorization_endpoint, token_endpoint, revocation_endpoint, introspection_endpoint,
    userinfo_endpoint, app_registration_endpoint, service_documentation, scopes_supported,
    response_types_supported, response_modes_supported, grant_types_supported,
    token_endpoint_auth_methods_supported, code_challenge_methods_supported
)

Metadata metadata(db::Read& db) {
    const auto& url = db.site().public_url;
    Metadata out;
    out.issuer = url + "/";
    out.authorization_endpoint = url + "/oauth/authorize";
    out.token_endpoint = url + "/oauth/token";
    out.revocation_endpoint = url + "/oauth/revoke";
    out.introspection_endpoint = url + "/oauth/introspect";
    out.userinfo_endpoint = url + "/oauth/userinfo";
    out.app_registration_endpoint = url + "/api/v1/apps";
    out.service_documentation = "https://docs.joinmastodon.org/";
    for (auto word : http::scope_words()) out.scopes_supported.emplace_back(word);
    out.response_types_supported = {"code"};
    out.response_modes_supported = {"query", "fragment", "form_post"};
    out.grant_types_supported = {"authorization_code", "client_credentials"};
    out.token_endpoint_auth_methods_supported = {"client_secret_basic", "client_secret_post"};
    out.code_challenge_methods_supported = {"S256"};
    return out;
}

struct Userinfo {
    std::string iss, sub, name, preferred_username, profile, picture;
};
DESCRIBE(Userinfo, iss, sub, name, preferred_username, profile, picture)

Userinfo userinfo(db::Read& db, const http::Viewer& me) {
    const auto& site = db.site();
    auto account = accounts::account(db, me.account);
    auto picture = account.avatar.empty() ? site.asset("avatars/missing.png") : site.media(account.avatar);
    return {
        site.public_url + "/",
        uri_of(site, account),
        account.display_name,
        account.username,
        url_of(site, account),
        picture
    };
}

// clang-format off
constexpr http::Route table[] = {
    http::get<metadata> ("/.well-known/oauth-authorization-server"),
    http::get<userinfo> ("/oauth/userinfo", "profile"),
    http::post<userinfo>("/oauth/userinfo", "profile"),
};
// clang-format on

}  // namespace

std::span<const http::Route> metadata_routes() { return table; }

}  // namespace oauth
