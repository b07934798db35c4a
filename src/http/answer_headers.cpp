// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/answer_headers.hpp"

#include <functional>

namespace http {

namespace {

#define SECURITY                          \
    "X-Content-Type-Options: nosniff\r\n" \
    "X-Frame-Options: DENY\r\n"           \
    "X-XSS-Protection: 0\r\n"             \
    "Referrer-Policy: same-origin\r\n"
#define POLICY "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'; form-action 'none'\r\n"
#define CORS                                                                                              \
    "Access-Control-Allow-Origin: *\r\n"                                                                  \
    "Access-Control-Expose-Headers: Link, Mastodon-Async-Refresh, X-RateLimit-Reset, X-RateLimit-Limit, " \
    "X-RateLimit-Remaining, X-Request-Id\r\n"

constexpr const char* shortly = "max-age=15, public, stale-while-revalidate=30, stale-if-error=86400";
constexpr const char* shared = "max-age=300, public, stale-while-revalidate=30, stale-if-error=86400";

bool has(const Response& response, std::string_view name) {
    return !find_header(response.headers, name).empty();
}

void add_caching(
    Response& response, const Route& route, const Request& request, const base::Site& site, bool token_given
) {
    if (has(response, "Cache-Control")) return;
    bool varies = has(response, "Vary");  // set by an endpoint that varies on more
    bool shareable = response.status == 200 && !site.restricted;
    if (route.caching == Caching::always && shareable) {
        response.headers.emplace_back("Cache-Control", shared);
    } else if (route.caching == Caching::if_anonymous && shareable) {
        response.headers.emplace_back("Cache-Control", token_given ? "private, no-store" : shortly);
        if (!varies) response.headers.emplace_back("Vary", "Authorization");
    } else {
        response.headers.emplace_back("Cache-Control", "private, no-store");
        bool kept_back = route.caching != Caching::never && site.restricted;
        if (!varies)
            response.headers.emplace_back("Vary", kept_back ? "Authorization" : "Authorization, Origin");
        return;
    }
    if (token_given && route.caching == Caching::if_anonymous) return;
    // Not for security, so a fast hash suffices.
    auto hash = std::hash<std::string_view>{}(response.body);
    auto etag = "W/\"" + std::to_string(response.body.size()) + "-" + std::to_string(hash) + "\"";
    if (request.header("If-None-Match").find(etag) != std::string_view::npos) {
        response.status = 304;
        response.body.clear();
    }
    response.headers.emplace_back("ETag", std::move(etag));
}

void add_limits(Response& response, const RateLimitStatus& rate_limit) {
    response.headers.emplace_back("X-RateLimit-Limit", std::to_string(rate_limit.limit));
    response.headers.emplace_back("X-RateLimit-Remaining", std::to_string(rate_limit.remaining));
    auto reset = to_string(rate_limit.reset);
    reset.insert(reset.size() - 1, "000");  // six fractional digits, as in the reference
    response.headers.emplace_back("X-RateLimit-Reset", std::move(reset));
}

// Whether the path is somebody's page or document, which scripts in browsers may also fetch; paths below it
// are not.
bool is_of_somebody(std::string_view path) {
    for (std::string_view start : {"/@", "/%40", "/users/", "/ap/users/"})
        if (path.starts_with(start)) return path.find('/', start.size()) == path.npos;
    return false;
}

}  // namespace

bool cross_origin(std::string_view path) {
    return path.starts_with("/api/") || path.starts_with("/.well-known/") || path.starts_with("/nodeinfo/") ||
           path == "/oauth/token" || path == "/oauth/revoke" || path == "/oauth/userinfo" ||
           path == "/oauth/introspect" || is_of_somebody(path);
}

std::string_view cors_headers(std::string_view path) { return cross_origin(path) ? CORS : ""; }

std::string_view common_headers(std::string_view path, bool policy) {
    static constexpr std::string_view of[2][2] = {
        {SECURITY, SECURITY CORS}, {SECURITY POLICY, SECURITY POLICY CORS}
    };
    return of[policy][cross_origin(path)];
}

void add_answer_headers(
    Response& response, const Route& route, const Request& request, const RateLimitStatus& rate_limit,
    const base::Site& site, bool token_given
) {
    response.headers.reserve(response.headers.size() + 8);
    bool api = response.content_type.starts_with("application/json");
    response.common_headers =
        common_headers(request.path(), api && !has(response, "Content-Security-Policy"));
    add_caching(response, route, request, site, token_given);
    // Clients try to parse anything declared as JSON, and some refuse a response without a type (decision
    // 34).
    if (response.body.empty() && !response.file)
        response.content_type = api && response.status == 200 ? "text/html; charset=utf-8" : "";
    if (route.path.starts_with("/api/")) add_limits(response, rate_limit);
    if (route.deprecated_since)
        response.headers.emplace_back("Deprecation", "@" + std::to_string(route.deprecated_since));
}

}  // namespace http
