// SPDX-License-Identifier: AGPL-3.0-or-later
// How people and their apps sign in.
#include "base/crypto.hpp"
#include "base/json.hpp"
#include "base/text/join.hpp"
#include "social/accounts/users/user.hpp"
#include "takeover/pleroma/reading.hpp"

#include <algorithm>

namespace takeover::pleroma {

namespace {

// One who may do everything must be there: the first of the administrators.
std::string first_admin(const Reading& r) {
    std::string first;
    r.db.run(
        "SELECT ap_id FROM users WHERE is_admin AND is_active AND " + std::string(people_here) +
            " ORDER BY inserted_at, id LIMIT 1",
        {},
        [&](const db::Foreign::Row& row) { first = db::Foreign::shown(row[0]); }
    );
    return first;
}

Id role_of(const Login& u, const std::string& first) {
    if (u.is_admin) return u.ap_id == first ? accounts::owner.value : accounts::admin.value;
    return u.is_moderator ? accounts::moderator.value : accounts::everyone.value;
}

// What nobody has by default here is for fewer people than it was, not for more.
std::string privacy(const std::string& scope) {
    for (const char* known : {"public", "unlisted", "private", "direct"})
        if (scope == known) return scope;
    return scope == "list" ? "direct" : "private";
}

// Who signed in by another service has no password, and asks for one by mail; who is deleted has none, either.
bool can_sign_in(const Login& u) { return u.local && (u.is_active || !u.password_hash.value_or("").empty()); }

void add_second_factor(const Login& u, UserRow& row, Sink& sink) {
    const auto settings = object_of(u.multi_factor_authentication_settings);
    const auto* totp = settings ? part(*settings, "totp") : nullptr;
    if (!totp || !flag(*settings, "enabled") || !flag(*totp, "confirmed")) return;
    auto key = from_base32(text(*totp, "secret"));
    if (!key)
        return sink.refuse(
            "second factor", u.ap_id, "its secret is none: " + row.email + " signs in without"
        );
    row.authenticator = *std::move(key);
    row.recovery_codes = known_recovery_codes(texts(*settings, "backup_codes"));
}

void put_domain_mutes(const Login& u, Id account, Sink& sink) {
    for (const auto& domain : u.domain_blocks.items)
        if (is_domain(domain))
            sink.put(DomainMuteRow{
                sink.numbers.give("domain mute", u.ap_id + " " + domain, u.inserted_at),
                account,
                domain,
                u.inserted_at
            });
}

}  // namespace

// Also who has no address for mail, which is not asked for there.
void copy_users(const Reading& r, const std::string& position, Sink& sink) {
    const auto owner = first_admin(r);
    r.each<Login>("user", table<Login>(r.db, "users"), position, sink, [&](const Login& u) {
        const auto account = r.account(sink, u.ap_id);
        if (!account || !can_sign_in(u)) return;
        UserRow row;
        row.id = sink.numbers.give("user", u.ap_id, u.inserted_at);
        row.account_id = *account;
        row.role_id = role_of(u, owner);
        row.email = accounts::normal_email(u.email.value_or(""));
        if (row.email.empty()) row.email = accounts::normal_email(u.nickname + "@invalid");
        // Who has to choose another password got in there neither with the old one nor with a token.
        if (!u.password_reset_pending) row.password_hash = u.password_hash.value_or("");
        if (u.is_confirmed) row.confirmed_at = u.inserted_at;
        row.approved = u.is_approved;
        row.locale = u.language;
        row.reason = u.registration_reason;
        row.created_at = u.inserted_at;
        row.last_active_at = u.last_active_at;
        row.default_privacy = privacy(u.default_scope);
        row.show_application = u.disclose_client;
        add_second_factor(u, row, sink);
        put_domain_mutes(u, *account, sink);
        sink.put(std::move(row), "user", u.ap_id, "somebody else has this e-mail address, or this account");
    });
}

void copy_apps(const Reading& r, const std::string& position, Sink& sink) {
    r.each<App>("app", "apps AS x", position, sink, [&](const App& a) {
        AppRow row;
        row.id = sink.numbers.give("app", std::to_string(a.id), a.inserted_at);
        row.name = a.client_name;
        row.website = a.website;
        // Between them stand spaces or new lines.
        row.redirect_uris = a.redirect_uris;
        std::ranges::replace(row.redirect_uris, ' ', '\n');
        row.scopes = known_scopes(base::text::joined(a.scopes.items, " ")).value_or("read");
        row.client_id = a.client_id;
        row.secret_hash = base::sha256_hex(a.client_secret);
        row.created_at = a.inserted_at;
        sink.put(std::move(row), "app", std::to_string(a.id), "another app has its client id");
    });
}

void copy_tokens(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT t.id, t.token, t.app_id, t.scopes, t.valid_until, t.inserted_at, t.user_id IS NOT NULL AS "
        "of_person, "
        "u.ap_id AS owner FROM oauth_tokens t LEFT JOIN users u ON u.id = t.user_id "
        "WHERE u.password_reset_pending IS NOT TRUE) AS x";
    r.each<Token>("token", from, position, sink, [&](const Token& t) {
        if (t.token.empty() || (t.valid_until && *t.valid_until <= r.choice.now)) return;
        const auto app = sink.numbers.find("app", t.app_id), user = sink.numbers.find("user", t.owner);
        if (!app || (t.of_person && !user)) return;
        const auto scopes = known_scopes(base::text::joined(t.scopes.items, " "));
        if (!scopes)
            return sink.refuse("token", std::to_string(t.id), "nothing that it allows is known here");
        TokenRow row;
        row.id = sink.numbers.give("token", std::to_string(t.id), t.inserted_at);
        row.token_hash = base::sha256_hex(t.token);
        row.app_id = *app;
        row.user_id = user;
        row.scopes = *scopes;
        row.created_at = t.inserted_at;
        sink.put(std::move(row), "token", std::to_string(t.id), "another token is the same");
    });
}

void copy_pushes(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT p.id, u.ap_id AS owner, p.token_id, p.endpoint, p.key_p256dh, p.key_auth, p.data, "
        "p.inserted_at "
        "FROM push_subscriptions p JOIN users u ON u.id = p.user_id AND u.password_reset_pending IS NOT "
        "TRUE) AS x";
    r.each<Push>("push", from, position, sink, [&](const Push& p) {
        const auto token = sink.numbers.find("token", p.token_id), user = sink.numbers.find("user", p.owner);
        if (!token || !user) return;
        const auto former = std::to_string(p.id);
        const auto keys = push_keys(p.endpoint, p.key_p256dh, p.key_auth);
        if (!keys) return sink.refuse("push", former, "its keys or its address are none");
        std::map<std::string, bool> alerts;
        if (const auto data = object_of(p.data))
            if (const auto* asked = part(*data, "alerts"))
                for (const char* type :
                     {"follow", "follow_request", "mention", "reblog", "favourite", "poll", "status", "update"
                     })
                    alerts[type] = flag(*asked, type);
        PushRow row;
        row.id = number_of_push(former);
        row.user_id = *user;
        row.token_id = *token;
        row.endpoint = p.endpoint;
        row.p256dh = keys->p256dh;
        row.auth = keys->auth;
        row.policy = "all";
        row.alerts = base::json::to_string(alerts);
        row.standard = false;
        row.created_at = p.inserted_at;
        sink.put(std::move(row), "push", former, "its token has another subscription");
    });
}

}  // namespace takeover::pleroma
