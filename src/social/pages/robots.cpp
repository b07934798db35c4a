// SPDX-License-Identifier: AGPL-3.0-or-later
// What crawlers are asked (RFC 9309): to leave alone what nobody searches for, and to stay away altogether where the team
// wants that (decision 85).
#include "http/route.hpp"
#include "social/instance/settings.hpp"

namespace pages {
namespace {

constexpr std::string_view nobody = "User-agent: *\nDisallow: /\n";

// What needs somebody who is signed in, what only programs ask for, and copies of what others have.
constexpr std::string_view anybody =
    "User-agent: *\n"
    "Disallow: /admin\n"
    "Disallow: /api/\n"
    "Disallow: /auth/\n"
    "Disallow: /authorize_follow\n"
    "Disallow: /authorize_interaction\n"
    "Disallow: /email_subscriptions/\n"
    "Disallow: /fires/\n"
    "Disallow: /invite/\n"
    "Disallow: /media_proxy/\n"
    "Disallow: /nodeinfo/\n"
    "Disallow: /notification_mails/\n"
    "Disallow: /oauth/\n"
    "Disallow: /plain/\n"
    "Disallow: /proxy/\n"
    "Disallow: /settings\n"
    "Disallow: /share\n";

http::Response robots(db::Read& db) {
    http::Response response;
    response.content_type = "text/plain; charset=utf-8";
    response.headers.emplace_back("Cache-Control", "max-age=180, public");
    response.body = instance::setting(db, "noindex") == "true" ? nobody : anybody;
    return response;
}

constexpr http::Route table[] = {http::get<robots>("/robots.txt")};

}  // namespace

std::span<const http::Route> robots_routes() { return table; }

}  // namespace pages
