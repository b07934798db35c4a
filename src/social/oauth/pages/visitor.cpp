// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/oauth/pages/visitor.hpp"

#include "base/crypto.hpp"
#include "http/session_scheme.hpp"
#include "social/oauth/pages/language.hpp"

namespace oauth {

namespace {

constexpr std::size_t proof_length = 22, chance_length = 21;  // of a known cookie

std::string proof_of(std::string_view secret) { return base::base64url(base::hmac_sha256(secret, "form")); }

std::string key_of(std::string_view secret) { return base::hmac_sha256(secret, "passkey"); }

// Keyed with what nobody else knows and a new password replaces.
std::string proof_of_knowing(const accounts::User& user, std::string_view chance) {
    auto proof = base::hmac_sha256(user.password_hash, "known browser " + std::string(chance));
    return base::base64url(proof).substr(0, proof_length);
}

// Of the answer to a form it is the page where the form stood.
std::string page_of(const base::Site& site, const http::Request& request) {
    if (request.method == http::Method::get) return request.target;
    auto from = request.header("Referer");
    bool ours = from.starts_with(site.public_url + "/");
    return ours ? std::string(from.substr(site.public_url.size())) : "/";
}

using Find = std::optional<Person> (&)(db::Read&, std::string_view);

Visitor visitor(db::Read& db, const http::Request& request, Find find) {
    Visitor out;
    out.language = reading_language(db.site(), request);
    out.here = page_of(db.site(), request);
    for (auto secret : session_secrets(db.site(), request)) {
        out.person = find(db, secret);
        if (!out.person) continue;
        out.language = reading_language(db.site(), request, out.person->locale);
        out.proof = proof_of(secret);
        out.key = key_of(secret);
        return out;
    }
    auto secret = std::string(visitor_secret(db.site(), request));
    if (secret.empty()) secret = out.new_secret = base::random_token();
    out.proof = proof_of(secret);
    out.key = key_of(secret);
    return out;
}

}  // namespace

Visitor visitor(db::Read& db, const http::Request& request) { return visitor(db, request, find_person); }

Visitor visitor_or_shut_out(db::Read& db, const http::Request& request) {
    return visitor(db, request, find_person_or_shut_out);
}

Visitor stranger(const base::Site& site, const http::Request& request) {
    Visitor out;
    out.language = reading_language(site, request);
    return out;
}

bool has_valid_proof(const Visitor& visitor, std::string_view proof_given) {
    return visitor.new_secret.empty() && base::same_secret(visitor.proof, proof_given);
}

bool is_signed_in(db::Read& db, const http::Request& request) {
    return visitor(db, request).person.has_value();
}

std::optional<base::UserId> user_of_page(db::Read& db, const http::Request& request) {
    auto who = visitor(db, request).person;
    if (!who) who = visitor_or_shut_out(db, request).person;
    return who ? std::optional(who->user) : std::nullopt;
}

Person person_of_script(
    db::Read& db, const http::Request& request, const std::optional<http::Viewer>& viewer
) {
    const base::Invalid nobody("This method requires an authenticated user");
    if (viewer && viewer->session) {
        auto secret = secret_with_proof(session_secrets(db.site(), request), *http::session_proof(request));
        auto person = find_person(db, secret);
        if (!person) throw nobody;  // it has ended since the request was let in
        return *std::move(person);
    }
    auto who = visitor(db, request);
    if (!who.person) throw nobody;
    if (!has_valid_proof(who, request.header("X-CSRF-Token")))
        throw base::Invalid("Can't verify CSRF token authenticity.");
    return *std::move(who.person);
}

void sign_in(db::Write& db, const http::Request& request, http::Response& response, const SigningIn& wanted) {
    std::vector<std::string> kept{
        begin_session(db, wanted.user, request.remote_address, request.header("User-Agent"))
    };
    bool replaces = !wanted.add;
    for (auto secret : session_secrets(db.site(), request)) {
        auto person = find_person_or_shut_out(db, secret);
        if (!person) continue;
        bool goes =
            std::exchange(replaces, false) || person->user == wanted.user || kept.size() == most_in_browser;
        if (goes) end_session(db, person->session);
        else kept.emplace_back(secret);
    }
    // A browser that is marked as shared stays so when another account is added.
    bool shared = wanted.shared || (kept.size() > 1 && is_shared_browser(db.site(), request));
    set_session_cookie(response, db.site(), kept, shared);
}

void sign_out(
    db::Write& db, const http::Request& request, http::Response& response, base::SessionId session
) {
    end_session(db, session);
    std::vector<std::string> kept;
    for (auto secret : session_secrets(db.site(), request))
        if (find_person_or_shut_out(db, secret)) kept.emplace_back(secret);
    set_session_cookie(response, db.site(), kept, is_shared_browser(db.site(), request));
    // With the last account goes what the client has on the device, the address for push messages among it: this may be a page
    // without a script that could see to it.
    response.headers.emplace_back("Clear-Site-Data", kept.empty() ? R"("cache", "storage")" : R"("cache")");
}

void set_known_cookie(http::Response& response, const base::Site& site, const accounts::User& user) {
    auto chance = base::random_token().substr(0, chance_length);
    set_known_cookie(response, site, chance + proof_of_knowing(user, chance));
}

std::string known_browser(db::Read& db, const http::Request& request, std::string_view email_or_username) {
    auto given = known_secret(db.site(), request);
    if (given.empty()) return {};
    auto user = accounts::find_for_sign_in(db, email_or_username);
    auto chance = given.substr(0, chance_length);
    if (!user || !base::same_secret(proof_of_knowing(*user, chance), given.substr(chance_length))) return {};
    return std::string(given);
}

}  // namespace oauth
