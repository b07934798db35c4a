// SPDX-License-Identifier: AGPL-3.0-or-later
// How people and their apps sign in. There they have no address for mail.
#include "base/crypto.hpp"
#include "base/text/join.hpp"
#include "social/accounts/users/user.hpp"
#include "takeover/mitra/reading.hpp"
#include "takeover/staff_rows.hpp"

#include <algorithm>

namespace takeover::mitra {

namespace {

enum Role : std::int64_t { guest = 0, normal = 1, admin = 2 };

// One who may do everything must be there.
#define FIRST_ADMIN "(SELECT id FROM user_account WHERE user_role = 2 ORDER BY created_at, id LIMIT 1)"

// As its number there; what nobody has by default here is for fewer people than it was.
std::string privacy(std::optional<std::int64_t> visibility) {
    constexpr std::int64_t everybody = 1, followers = 3;
    if (visibility.value_or(everybody) == everybody) return "public";
    return visibility == followers ? "private" : "direct";
}

// Whose mentions somebody wants. There the others are dropped; here they wait as requests.
void put_policy(const Login& u, Id account, Sink& sink) {
    constexpr std::int64_t only_known = 1, only_contacts = 2;
    if (u.mention_policy != only_known && u.mention_policy != only_contacts) return;
    const std::string contacts = u.mention_policy == only_contacts ? "filter" : "accept";
    const std::string known = u.mention_policy == only_known ? "filter" : "accept";
    sink.put(NotificationPolicyRow{account, contacts, contacts, known, "accept", "accept", "accept"});
}

}  // namespace

void copy_users(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT u.id, a.username, u.password_digest, u.user_role, a.mention_policy, "
        "u.id = " FIRST_ADMIN
        " AS first_admin, u.shared_client_config, u.created_at "
        "FROM user_account u JOIN actor_profile a ON a.id = u.id) AS x";
    r.each<Login>("user", from, position, sink, [&](const Login& u) {
        const auto account = r.account(sink, u.id);
        if (!account) return;
        UserRow row;
        row.created_at = dated(r, u.created_at);
        row.id = sink.numbers.give("user", u.id, row.created_at);
        row.account_id = *account;
        row.role_id = u.first_admin          ? accounts::owner.value
                      : u.user_role == admin ? accounts::admin.value
                                             : accounts::everyone.value;
        row.email = accounts::normal_email(u.username + "@invalid");
        row.password_hash = u.password_digest;
        row.confirmed_at = row.created_at;
        row.disabled = u.user_role == guest;
        if (const auto chosen = object_of(u.shared_client_config)) {
            row.default_privacy = privacy(number(*chosen, "default_post_visibility"));
            row.default_language = language_of(text(*chosen, "default_post_language"));
        }
        sink.put(std::move(row), "user", u.id, "somebody else has this e-mail address, or this account");
        put_policy(u, *account, sink);
    });
}

// Whom they came from is not known: the first of the team has them.
void copy_invites(const Reading& r, const std::string& position, Sink& sink) {
    const char* from = "(SELECT i.code AS id, " FIRST_ADMIN
                       " AS owner, i.created_at FROM user_invite_code i WHERE NOT i.used) AS x";
    r.each<Invite>("invite", from, position, sink, [&](const Invite& i) {
        if (const auto owner = r.account(sink, i.owner))
            sink.put(InviteRow{i.id, *owner, std::nullopt, 1, 0, false, i.created_at});
    });
}

void copy_apps(const Reading& r, const std::string& position, Sink& sink) {
    r.each<App>("app", "oauth_application AS x", position, sink, [&](const App& a) {
        AppRow row;
        row.id = sink.numbers.give("app", a.id, a.created_at);
        row.name = a.app_name;
        row.website = a.website;
        row.redirect_uris = a.redirect_uri;
        row.scopes = known_scopes(base::text::joined(a.scopes.items, " ")).value_or("read");
        row.client_id = a.client_id;
        row.secret_hash = base::sha256_hex(a.client_secret);
        row.created_at = a.created_at;
        sink.put(std::move(row), "app", a.id, "another app has its client id");
    });
}

// There, too, their hashes alone are stored. What they allow is not asked there, and is stored of newer ones alone: the others allow
// what their app may.
void copy_tokens(const Reading& r, const std::string& position, Sink& sink) {
    const std::string scopes = std::ranges::count(r.db.columns_of("oauth_token"), "scopes") > 0
                                   ? "COALESCE(NULLIF(t.scopes, '{}'), a.scopes)"
                                   : "a.scopes";
    const auto from =
        "(SELECT t.id, t.owner_id AS owner, t.application_id AS application, encode(t.token_digest, 'hex') "
        "AS digest, " +
        scopes +
        " AS scopes, t.created_at, t.expires_at FROM oauth_token t "
        "LEFT JOIN oauth_application a ON a.id = t.application_id) AS x";
    r.each<Token>("token", from, position, sink, [&](const Token& t) {
        if (t.expires_at <= r.choice.now) return;
        const auto app = sink.numbers.find("app", t.application), user = sink.numbers.find("user", t.owner);
        if (!app || !user) return;
        constexpr std::size_t digits = 64;
        if (t.digest.size() != digits) return sink.refuse("token", t.id, "its hash is none");
        const auto scopes = known_scopes(base::text::joined(t.scopes.items, " "));
        if (!scopes) return sink.refuse("token", t.id, "nothing that it allows is known here");
        TokenRow row;
        row.id = sink.numbers.give("token", t.id, t.created_at);
        row.token_hash = t.digest;
        row.app_id = *app;
        row.user_id = user;
        row.scopes = *scopes;
        row.created_at = t.created_at;
        sink.put(std::move(row), "token", t.id, "another token is the same");
    });
}

}  // namespace takeover::mitra
