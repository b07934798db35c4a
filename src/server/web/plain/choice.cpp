// SPDX-License-Identifier: AGPL-3.0-or-later
// Choosing between the plain pages and the client: by links, per browser.
#include "http/body/urlencoded.hpp"
#include "server/web/plain/reading.hpp"
#include "social/oauth/browser_choices.hpp"
#include "social/oauth/cookies.hpp"

namespace server::plain {

namespace {

// The page with the link, if it is one of ours.
std::string came_from(const base::Site& site, const http::Request& request) {
    auto from = request.header("Referer");
    if (!from.starts_with(site.public_url + "/")) return "/home";
    auto place = oauth::safe_return(from.substr(site.public_url.size()));
    return place == "/" ? "/home" : place;
}

// Links on other sites must not change the choice.
bool is_own_link(const http::Request& request) {
    auto from = request.header("Sec-Fetch-Site");
    return from.empty() || from == "same-origin" || from == "none";
}

template <bool Plain>
http::Response choose(db::Read& db, const http::Request& request) {
    auto response = oauth::redirect(came_from(db.site(), request));
    response.headers.emplace_back("Cache-Control", "private, no-store");
    if (is_own_link(request)) oauth::set_plain_cookie(response, db.site(), Plain);
    return response;
}

constexpr http::Route table[] = {
    http::get<choose<true>>("/plain/on"),
    http::get<choose<false>>("/plain/off"),
};

std::string parameter(const Client::Match& match, std::string_view wanted) {
    for (auto [name, value] : match.parameters)
        if (name == wanted) return std::string(value);
    return {};
}

}  // namespace

std::span<const http::Route> choice_routes() { return table; }

std::optional<http::Response> face(const http::Call& call, const Client::Match& match) {
    auto found = reading(*call.read, *call.ask, *call.request);
    if (!found || !match.route) return std::nullopt;
    std::string_view path = match.route->path;
    auto acct = [&] { return http::percent_decoded(parameter(match, "acct")); };
    if (path == "/home") return home(*found);
    if (path == "/notifications") return notifications(*found);
    if (path == "/compose" || path == "/share") return compose(*found);
    if (path == "/@:acct") return profile(*found, acct(), "");
    if (path == "/@:acct/replies") return profile(*found, acct(), "replies");
    if (path == "/@:acct/media") return profile(*found, acct(), "media");
    if (path == "/@:acct/:id")
        if (auto id = parameter(match, "id"); id.find_first_not_of("0123456789") == id.npos)
            return thread(*found, id);
    return std::nullopt;
}

}  // namespace server::plain
