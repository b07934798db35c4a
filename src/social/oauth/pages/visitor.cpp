// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/oauth/pages/visitor.hpp"

#include "base/crypto.hpp"

#include <algorithm>

namespace oauth {

namespace {

constexpr std::size_t secret_length = 43;  // of random_token()
constexpr std::size_t chance_length = 21;  // of a known cookie, before its proof

bool is_secure(const base::Site& site) { return site.public_url.starts_with("https://"); }

// With __Host- a browser takes the cookie from this host over TLS only, so that no neighbour domain can plant one.
std::string cookie_name(const base::Site& site, std::string_view name) {
    return (is_secure(site) ? "__Host-dunlin_" : "dunlin_") + std::string(name);
}

std::string_view trimmed(std::string_view s) {
    while (s.starts_with(' ')) s.remove_prefix(1);
    return s;
}

// Empty unless it has the form of our secrets. With several of that name the first counts, as browsers send the
// most specific one first.
std::string_view cookie(const http::Request& request, std::string_view name) {
    for (auto rest = request.header("Cookie"); !rest.empty();) {
        auto end = rest.find(';');
        auto pair = trimmed(rest.substr(0, end));
        rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
        if (!pair.starts_with(name) || pair.substr(name.size(), 1) != "=") continue;
        auto value = pair.substr(name.size() + 1);
        bool ours = value.size() == secret_length && std::ranges::all_of(value, [](char c) {
                        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                               c == '-' || c == '_';
                    });
        return ours ? value : std::string_view{};
    }
    return {};
}

std::string proof_of(std::string_view secret) { return base::base64url(base::hmac_sha256(secret, "form")); }

// Keyed with what nobody else knows and a new password replaces.
std::string proof_of_knowing(const accounts::User& user, std::string_view chance) {
    auto proof = base::hmac_sha256(user.password_hash, "known browser " + std::string(chance));
    return base::base64url(proof).substr(0, secret_length - chance_length);
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

Visitor visitor(db::Read& db, const http::Request& request) {
    Visitor out;
    auto session = cookie(request, cookie_name(db.site(), "session"));
    out.person = find_person(db, session);
    if (out.person) {
        out.proof = proof_of(session);
        return out;
    }
    auto secret = std::string(cookie(request, cookie_name(db.site(), "visitor")));
    if (secret.empty()) secret = out.new_secret = base::random_token();
    out.proof = proof_of(secret);
    return out;
}

bool has_valid_proof(const Visitor& visitor, std::string_view proof_given) {
    return visitor.new_secret.empty() && base::same_secret(visitor.proof, proof_given);
}

Person person_of_script(db::Read& db, const http::Request& request) {
    auto who = visitor(db, request);
    if (!who.person) throw base::Invalid("This method requires an authenticated user");
    if (!has_valid_proof(who, request.header("X-CSRF-Token")))
        throw base::Invalid("Can't verify CSRF token authenticity.");
    return *std::move(who.person);
}

void set_session_cookie(http::Response& response, const base::Site& site, std::string_view secret) {
    set_cookie(response, site, "session", secret, "31536000");
}

void clear_session_cookie(http::Response& response, const base::Site& site) {
    set_cookie(response, site, "session", "", "0");
}

void set_visitor_cookie(http::Response& response, const base::Site& site, std::string_view secret) {
    set_cookie(response, site, "visitor", secret, "");
}

void set_known_cookie(http::Response& response, const base::Site& site, const accounts::User& user) {
    auto chance = base::random_token().substr(0, chance_length);
    set_cookie(response, site, "known", chance + proof_of_knowing(user, chance), "34560000");
}

std::string known_browser(db::Read& db, const http::Request& request, std::string_view email_or_username) {
    auto given = cookie(request, cookie_name(db.site(), "known"));
    if (given.empty()) return {};
    auto user = accounts::find_for_sign_in(db, email_or_username);
    auto chance = given.substr(0, chance_length);
    if (!user || !base::same_secret(proof_of_knowing(*user, chance), given.substr(chance_length))) return {};
    return std::string(given);
}

}  // namespace oauth
