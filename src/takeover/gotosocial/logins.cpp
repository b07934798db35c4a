// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/crypto.hpp"
#include "base/json.hpp"
#include "social/accounts/users/user.hpp"
#include "social/notifications/notification.hpp"
#include "takeover/gotosocial/reading.hpp"
#include "takeover/source.hpp"

#include <map>

namespace takeover::gotosocial {

namespace {

// Applications and tokens have no date but their id's, which some had by chance.
Time dated(const Reading& r, const std::string& id) {
    const auto time = time_of_ulid(id);
    return time && *time <= r.choice.now ? *time : r.choice.now;
}

std::optional<std::string> given(const std::string& text) {
    if (text.empty()) return std::nullopt;
    return text;
}

}  // namespace

void copy_apps(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Application>("app", "applications", position, sink, [&](const Application& a) {
        if (a.client_id == r.instance) return;  // its own, for sign-ups
        AppRow row;
        row.created_at = dated(r, a.id);
        row.id = sink.numbers.give("app", a.id, row.created_at);
        // Tokens name their app by this.
        sink.numbers.set("client", a.client_id, row.id);
        row.name = a.name;
        row.website = a.website;
        for (const auto& uri : a.redirect_uris.items)
            row.redirect_uris += (row.redirect_uris.empty() ? "" : "\n") + uri;
        row.scopes = known_scopes(a.scopes).value_or("read");
        row.client_id = a.client_id;
        row.secret_hash = base::sha256_hex(a.client_secret);
        sink.put(std::move(row), "app", a.id, "another app has its client id");
    });
}

namespace {

// One who may do everything must be there: the first of the administrators.
Id role_of(const User& user, const std::string& first_admin) {
    if (user.admin) return user.id == first_admin ? accounts::owner.value : accounts::admin.value;
    return user.moderator ? accounts::moderator.value : accounts::everyone.value;
}

std::string first_admin(const Reading& r) {
    std::string first;
    r.db.run(
        "SELECT id FROM users WHERE admin ORDER BY created_at, id LIMIT 1",
        {},
        [&](const db::Foreign::Row& row) { first = db::Foreign::shown(row[0]); }
    );
    return first;
}

std::string privacy(std::int64_t number) {
    return std::string(base::word(number == 0 ? statuses::Visibility::unlisted : visibility_of(number)));
}

}  // namespace

void copy_users(const Reading& r, const std::string& position, Sink& sink) {
    const auto owner = first_admin(r);
    std::map<std::string, AccountSettings> settings;
    r.db.each<AccountSettings>(
        "account_settings",
        "",
        {},
        [&](AccountSettings s) { settings.emplace(s.account_id, std::move(s)); },
        r.refusing("user", sink)
    );
    r.each<User>("user", "users", position, sink, [&](const User& u) {
        const auto account = r.account(sink, u.account_id);
        if (!account) return sink.refuse("user", u.id, "its account did not come along");
        UserRow row;
        row.id = sink.numbers.give("user", u.id, u.created_at);
        row.account_id = *account;
        row.role_id = role_of(u, owner);
        // Who has not confirmed yet has an address there alone.
        row.email = accounts::normal_email(u.email.empty() ? u.unconfirmed_email : u.email);
        row.password_hash = u.encrypted_password;
        row.confirmed_at = u.confirmed_at;
        row.approved = u.approved;
        row.disabled = u.disabled;
        row.locale = u.locale;
        row.reason = u.reason;
        if (!u.email.empty() && u.unconfirmed_email != u.email)
            row.unconfirmed_email = given(u.unconfirmed_email);
        row.created_by_app = sink.numbers.find("app", u.created_by_application_id);
        row.created_at = u.created_at;
        if (const auto of = settings.find(u.account_id); of != settings.end()) {
            row.default_privacy = privacy(of->second.privacy);
            row.default_sensitive = of->second.sensitive;
            row.default_language = given(of->second.language);
        }
        if (!u.two_factor_secret.empty() && u.two_factor_enabled_at) {
            auto key = from_base32(u.two_factor_secret);
            if (!key)
                sink.refuse("second factor", u.id, "its secret is none: " + row.email + " signs in without");
            else {
                row.authenticator = *std::move(key);
                row.recovery_codes = known_recovery_codes(u.two_factor_backups.items);
                row.second_factor_at = u.two_factor_enabled_at;
            }
        }
        sink.put(std::move(row), "user", u.id, "somebody else has this e-mail address, or this account");
    });
}

void copy_tokens(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Token>("token", "tokens", position, sink, [&](const Token& t) {
        const bool expired = t.access_expires_at && *t.access_expires_at <= r.choice.now;
        if (t.access.empty() || expired) return;  // a code that was never exchanged
        const auto app = sink.numbers.find("client", t.client_id);
        const auto user = sink.numbers.find("user", t.user_id);
        if (!app || (!t.user_id.empty() && !user)) return;
        const auto scopes = known_scopes(t.scope);
        if (!scopes) return sink.refuse("token", t.id, "nothing that it allows is known here");
        TokenRow row;
        row.created_at = t.access_create_at.value_or(dated(r, t.id));
        row.id = sink.numbers.give("token", t.id, row.created_at);
        row.token_hash = base::sha256_hex(t.access);
        row.app_id = *app;
        row.user_id = user;
        row.scopes = *scopes;
        row.last_used_at = t.last_used;
        sink.put(std::move(row), "token", t.id, "another token is the same");
    });
}

namespace {

// By the numbers that GoToSocial has for them.
constexpr const char* types[] = {
    "",
    "follow",
    "follow_request",
    "mention",
    "reblog",
    "favourite",
    "poll",
    "status",
    "admin.sign_up",
    "",
    "",
    "",
    "admin.report",
    "update",
};

std::string alerts(std::int64_t flags) {
    std::map<std::string, bool> out;
    for (std::size_t bit = 0; bit < std::size(types); ++bit)
        if (*types[bit]) out[types[bit]] = (flags >> bit & 1) != 0;
    return base::json::to_string(out);
}

std::string policy(std::int64_t number) {
    constexpr const char* words[] = {"all", "all", "followed", "follower", "none"};
    return words[number >= 0 && number <= 4 ? number : 1];
}

}  // namespace

std::optional<std::string> notification_type(std::int64_t number) {
    if (number < 0 || number >= static_cast<std::int64_t>(std::size(types)) || !*types[number])
        return std::nullopt;
    std::string word = types[number];
    std::ranges::replace(word, '.', '_');
    return word;
}

void copy_pushes(const Reading& r, const std::string& position, Sink& sink) {
    std::map<std::string, std::string> user_of;  // of a token
    r.db.each<Token>(
        "tokens", "", {}, [&](const Token& t) { user_of.emplace(t.id, t.user_id); }, [](auto&, auto&) {}
    );
    r.each<PushSubscription>(
        "push",
        "web_push_subscriptions",
        position,
        sink,
        [&](const PushSubscription& p) {
            const auto token = sink.numbers.find("token", p.token_id);
            const auto user = sink.numbers.find("user", user_of[p.token_id]);
            if (!token || !user) return;
            const auto keys = push_keys(p.endpoint, p.p256dh, p.auth);
            if (!keys) return sink.refuse("push", p.id, "its keys or its address are none");
            PushRow row;
            row.created_at = dated(r, p.id);
            row.id = number_of_push(p.id);
            row.user_id = *user;
            row.token_id = *token;
            row.endpoint = p.endpoint;
            row.p256dh = keys->p256dh;
            row.auth = keys->auth;
            row.policy = policy(p.policy);
            row.alerts = alerts(p.notification_flags);
            sink.put(std::move(row), "push", p.id, "its token has another subscription");
        }
    );
}

}  // namespace takeover::gotosocial
