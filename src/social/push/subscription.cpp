// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/push/subscription.hpp"

#include "base/crypto.hpp"
#include "base/signing.hpp"
#include "social/instance/settings.hpp"
#include "social/notifications/notification.hpp"

#include <algorithm>
#include <charconv>

namespace push {

namespace {

constexpr std::size_t longest_endpoint = 2048, auth_size = 16;

[[noreturn]] void refuse(std::string_view what) {
    throw base::Invalid("Validation failed: " + std::string(what));
}

// Whether it leads into a private network is checked when it is requested (net/http_client).
bool is_endpoint(std::string_view url) {
    const auto scheme = url.substr(0, url.find("//") + 2);
    if (url.size() > longest_endpoint || (scheme != "https://" && scheme != "http://")) return false;
    if (!std::ranges::all_of(url, [](char c) { return c > ' ' && c < 127 && c != '\\'; })) return false;
    url.remove_prefix(scheme.size());
    auto authority = url.substr(0, url.find_first_of("/?#"));
    return !authority.empty() && !authority.starts_with(':') && authority.find('@') == authority.npos;
}

// With normalised keys.
Target checked(Target target) {
    if (!is_endpoint(target.endpoint)) refuse("Endpoint is not a valid URL");
    auto point = base::from_base64(target.p256dh);
    if (!point || !base::is_p256_point(*point)) refuse("Key p256dh is not a valid P-256 key");
    auto auth = base::from_base64(target.auth);
    if (!auth || auth->size() != auth_size) refuse("Key auth is not valid");
    target.p256dh = base::base64url(*point);
    target.auth = base::base64url(*auth);
    return target;
}

std::string alerts_of(const Choice& choice) {
    auto known = choice.alerts;
    std::erase_if(known, [](const auto& alert) { return !notifications::type_named(alert.first); });
    return base::json::to_string(known);
}

// The API returns it as a JSON number, and JavaScript is exact only below 2^53.
PushId new_id() {
    constexpr std::uint64_t below = 1ULL << 53;
    std::uint64_t number = 0;
    for (char c : base::random_bytes(8)) number = number << 8 | static_cast<unsigned char>(c);
    return {static_cast<std::int64_t>(1 + number % (below - 1))};
}

}  // namespace

const db::Command delete_push_of_owner{
    "delete_push_of_owner", "DELETE FROM push_subscriptions WHERE token_id = $1 OR web_session_id = $2"
};
const db::Command insert_push{
    "insert_push",
    R"(INSERT INTO push_subscriptions (id, user_id, token_id, web_session_id, endpoint, p256dh, auth, standard,
           policy, alerts, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11))"
};

PushId subscribe(db::Write& db, const Owner& owner, const Target& given, const Choice& choice) {
    auto target = checked(given);
    auto id = new_id();
    db.run(delete_push_of_owner, owner.token, owner.session);
    db.run(
        insert_push,
        id,
        owner.user,
        owner.token,
        owner.session,
        target.endpoint,
        target.p256dh,
        target.auth,
        target.standard,
        choice.policy,
        alerts_of(choice),
        db.now()
    );
    return id;
}

const db::Command update_push_choice{
    "update_push_choice", "UPDATE push_subscriptions SET policy = $2, alerts = $3 WHERE id = $1"
};

void choose(db::Write& db, PushId id, const Choice& choice) {
    db.run(update_push_choice, id, choice.policy, alerts_of(choice));
}

const db::Command delete_push_of_token{
    "delete_push_of_token", "DELETE FROM push_subscriptions WHERE token_id = $1"
};

void unsubscribe(db::Write& db, TokenId token) { db.run(delete_push_of_token, token); }

#define PUSH_COLUMNS "SELECT id, endpoint, p256dh, auth, standard, policy, alerts FROM push_subscriptions "

const db::Query<Subscription> push_of_token{"push_of_token", PUSH_COLUMNS "WHERE token_id = $1"};

Subscription of_token(db::Read& db, TokenId token) { return db.one(push_of_token, token); }

const db::Query<Subscription> push_of_user{"push_of_user", PUSH_COLUMNS "WHERE id = $1 AND user_id = $2"};

Subscription of_user(db::Read& db, UserId user, PushId id) { return db.one(push_of_user, id, user); }

std::string unsubscribe_token(std::string_view key, PushId id) {
    auto number = std::to_string(id.value);
    return number + "." + base::base64url(base::hmac_sha256(key, "push subscription " + number));
}

std::string unsubscribe_token(db::Read& db, PushId id) {
    return unsubscribe_token(instance::unsubscribe_key(db), id);
}

const db::Command delete_push{"delete_push", "DELETE FROM push_subscriptions WHERE id = $1"};

void unsubscribe_by(db::Write& db, std::string_view token) {
    PushId id;
    auto number = token.substr(0, token.find('.'));
    std::from_chars(number.data(), number.data() + number.size(), id.value);
    if (base::same_secret(unsubscribe_token(db, id), token)) db.run(delete_push, id);
}

const db::Command delete_push_of_tokens{
    "delete_push_of_tokens", "DELETE FROM push_subscriptions WHERE token_id IN LIST($1)"
};

void forget_tokens(db::Write& db, const accounts::TokensRevoked& event) {
    db.run(delete_push_of_tokens, event.tokens);
}

const db::Command delete_push_of_sessions{
    "delete_push_of_sessions", "DELETE FROM push_subscriptions WHERE web_session_id IN LIST($1)"
};

void forget_sessions(db::Write& db, const accounts::SessionsEnded& event) {
    db.run(delete_push_of_sessions, event.sessions);
}

}  // namespace push
