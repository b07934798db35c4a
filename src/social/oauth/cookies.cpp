// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/oauth/cookies.hpp"

#include "base/crypto.hpp"
#include "base/signing.hpp"
#include "base/text/blank.hpp"
#include "base/text/spoken_languages.hpp"
#include "http/session_scheme.hpp"
#include "social/oauth/browser_choices.hpp"

#include <algorithm>

namespace oauth {

namespace {

constexpr std::size_t secret_length = 43;  // of random_token()
constexpr std::size_t longest_home = 300;  // of a handle, as in the form
constexpr const char* a_year = "31536000";

bool is_secure(const base::Site& site) { return site.public_url.starts_with("https://"); }

// With __Host- a browser takes the cookie from this host over TLS only, so that no neighbour domain can plant one.
std::string cookie_name(const base::Site& site, std::string_view name) {
    return (is_secure(site) ? "__Host-dunlin_" : "dunlin_") + std::string(name);
}

bool is_secret(std::string_view text) {
    return text.size() == secret_length && std::ranges::all_of(text, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_';
           });
}

// With several of that name the first counts, as browsers send the most specific one first.
std::string_view cookie(const http::Request& request, std::string_view name) {
    if (is_loaded_by_others(request)) return {};
    for (auto rest = request.header("Cookie"); !rest.empty();) {
        auto end = rest.find(';');
        auto pair = base::text::trimmed(rest.substr(0, end), " ");
        rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
        if (pair.starts_with(name) && pair.substr(name.size(), 1) == "=") return pair.substr(name.size() + 1);
    }
    return {};
}

std::string_view secret_in(const base::Site& site, const http::Request& request, std::string_view name) {
    auto value = cookie(request, cookie_name(site, name));
    return is_secret(value) ? value : std::string_view{};
}

void set_cookie(
    http::Response& response, const base::Site& site, std::string_view name, std::string_view value,
    std::string_view max_age
) {
    std::string text =
        cookie_name(site, name) + "=" + std::string(value) + "; Path=/; HttpOnly; SameSite=Lax";
    if (!max_age.empty()) text += "; Max-Age=" + std::string(max_age);
    if (is_secure(site)) text += "; Secure";
    response.headers.emplace_back("Set-Cookie", std::move(text));
}

}  // namespace

bool is_loaded_by_others(const http::Request& request) {
    auto from = request.header("Sec-Fetch-Site");
    return (from == "same-site" || from == "cross-site") && request.header("Sec-Fetch-Mode") != "navigate";
}

std::vector<std::string_view> session_secrets(const base::Site& site, const http::Request& request) {
    std::vector<std::string_view> out;
    for (auto rest = cookie(request, cookie_name(site, "session")); !rest.empty();) {
        auto one = rest.substr(0, rest.find('.'));
        rest.remove_prefix(std::min(rest.size(), one.size() + 1));
        if (!is_secret(one) || out.size() == most_in_browser) return {};
        out.push_back(one);
    }
    return out;
}

std::string_view visitor_secret(const base::Site& site, const http::Request& request) {
    return secret_in(site, request, "visitor");
}

std::string_view known_secret(const base::Site& site, const http::Request& request) {
    return secret_in(site, request, "known");
}

std::string_view attempt_secret(const base::Site& site, const http::Request& request) {
    return secret_in(site, request, "attempt");
}

std::string_view language_cookie(const base::Site& site, const http::Request& request) {
    const auto* spoken = base::text::find_spoken(cookie(request, cookie_name(site, "language")));
    return spoken ? std::string_view(spoken->code) : std::string_view{};
}

std::string home_cookie(const base::Site& site, const http::Request& request) {
    auto value = cookie(request, cookie_name(site, "home"));
    if (value.size() > 2 * longest_home) return {};
    auto handle = base::from_base64(value).value_or("");
    bool printable = handle.size() <= longest_home &&
                     std::ranges::all_of(handle, [](char c) { return c > ' ' && c < 127; });
    return printable ? handle : std::string();
}

bool wants_plain_pages(const base::Site& site, const http::Request& request) {
    return cookie(request, cookie_name(site, "plain")) == "1";
}

bool is_shared_browser(const base::Site& site, const http::Request& request) {
    return cookie(request, cookie_name(site, "shared")) == "1";
}

void set_session_cookie(
    http::Response& response, const base::Site& site, const std::vector<std::string>& secrets, bool shared
) {
    std::string value;
    for (const auto& secret : secrets) value += (value.empty() ? "" : ".") + secret;
    if (value.empty()) return clear_session_cookie(response, site);
    set_cookie(response, site, "session", value, shared ? "" : a_year);
    set_cookie(response, site, "shared", shared ? "1" : "", shared ? "" : "0");
}

void clear_session_cookie(http::Response& response, const base::Site& site) {
    set_cookie(response, site, "session", "", "0");
    set_cookie(response, site, "shared", "", "0");
}

void set_visitor_cookie(http::Response& response, const base::Site& site, std::string_view secret) {
    set_cookie(response, site, "visitor", secret, "");
}

void set_known_cookie(http::Response& response, const base::Site& site, std::string_view value) {
    set_cookie(response, site, "known", value, "34560000");
}

void set_language_cookie(http::Response& response, const base::Site& site, std::string_view language) {
    set_cookie(response, site, "language", language, a_year);
}

void set_home_cookie(http::Response& response, const base::Site& site, std::string_view handle) {
    set_cookie(response, site, "home", base::base64url(handle), handle.empty() ? "0" : a_year);
}

void set_plain_cookie(http::Response& response, const base::Site& site, bool plain) {
    set_cookie(response, site, "plain", plain ? "1" : "", plain ? a_year : "0");
}

void set_attempt_cookie(http::Response& response, const base::Site& site, std::string_view secret) {
    set_cookie(response, site, "attempt", secret, secret.empty() ? "0" : "600");
}

bool comes_from_here(const base::Site& site, const http::Request& request, bool surely) {
    auto origin = request.header("Origin"), fetched_from = request.header("Sec-Fetch-Site");
    if (origin.empty() ? surely : origin != site.public_url) return false;
    return fetched_from.empty() || fetched_from == "same-origin";
}

std::string_view secret_with_proof(const std::vector<std::string_view>& secrets, std::string_view proof) {
    std::string_view found;
    for (auto secret : secrets)
        if (is_proof(secret, proof)) found = secret;
    return found;
}

namespace {

Known credentials_of(db::Read& db, const http::Request& request, std::string_view proof, bool surely) {
    if (!comes_from_here(db.site(), request, surely)) return {};
    auto secret = secret_with_proof(session_secrets(db.site(), request), proof);
    return secret.empty() ? Known() : look_up_session(db, secret);
}

}  // namespace

Known page_credentials(db::Read& db, const http::Request& request) {
    for (auto secret : session_secrets(db.site(), request))
        if (find_person(db, secret)) return look_up_session(db, secret);
    return {};
}

Known session_credentials(db::Read& db, const http::Request& request) {
    if (!request.path().starts_with("/api/"))
        return comes_from_here(db.site(), request, false) ? page_credentials(db, request) : Known();
    auto proof = http::session_proof(request);
    bool reads = request.method == http::Method::get || request.method == http::Method::head;
    return proof ? credentials_of(db, request, *proof, !reads) : Known();
}

Known socket_credentials(db::Read& db, const http::Request& request, std::string_view proof) {
    return credentials_of(db, request, proof, true);
}

}  // namespace oauth
