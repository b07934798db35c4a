// SPDX-License-Identifier: AGPL-3.0-or-later
// How people and their apps sign in. There is one sign-in there, and all accounts are of who has it.
#include "base/crypto.hpp"
#include "base/signing.hpp"
#include "base/text/join.hpp"
#include "social/accounts/users/user.hpp"
#include "takeover/hollo/reading.hpp"

namespace takeover::hollo {

namespace {

// The account that was there first comes first.
#define FIRST                                                            \
    "(SELECT f.id FROM account_owners f JOIN accounts y ON y.id = f.id " \
    "ORDER BY COALESCE(y.published, y.updated), f.id LIMIT 1)"

constexpr const char* owners =
    "(SELECT o.id, o.handle, c.email, c.password_hash, o.visibility, o.language, o.expand_spoilers, "
    "o.id = " FIRST
    " AS first, o.followed_tags, t.secret, t.algorithm, t.digits, t.period, "
    "COALESCE(a.published, a.updated) AS made FROM account_owners o JOIN accounts a ON a.id = o.id "
    "LEFT JOIN (SELECT * FROM credentials ORDER BY created, email LIMIT 1) c ON TRUE "
    "LEFT JOIN (SELECT * FROM totps ORDER BY created LIMIT 1) t ON TRUE) AS x";

void add_second_factor(const Owner& o, UserRow& row, Sink& sink) {
    if (o.secret.empty()) return;
    constexpr std::int64_t digits = 6, period = 30;
    auto key = from_base32(o.secret);
    const bool usual = o.algorithm == "SHA1" && o.digits == digits && o.period == period;
    if (!key || !usual)
        return sink.refuse(
            "second factor",
            o.id,
            "its codes are not of six digits, each for 30 seconds, by SHA-1: " + row.email +
                " signs in without"
        );
    row.authenticator = *std::move(key);
}

void put_followed_tags(const Reading& r, const Owner& o, Id account, Sink& sink) {
    for (const auto& word : o.followed_tags.items)
        if (const auto id = tag(r, word, r.choice.now, sink))
            sink.put(
                TagFollowRow{sink.numbers.give("tag follow", o.id + " " + word, r.choice.now), account, *id}
            );
}

}  // namespace

void copy_users(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Owner>("user", owners, position, sink, [&](const Owner& o) {
        const auto account = r.account(sink, o.id);
        if (!account) return;
        const auto made = dated(r, o.made);
        UserRow row;
        row.id = sink.numbers.give("user", o.id, made);
        row.account_id = *account;
        row.role_id = o.first ? accounts::owner.value : accounts::everyone.value;
        if (o.first) row.email = accounts::normal_email(o.email);
        if (row.email.empty()) row.email = accounts::normal_email(o.handle + "@invalid");
        row.password_hash = o.password_hash;
        row.confirmed_at = made;
        row.created_at = made;
        row.locale = o.language;
        row.default_language = o.language;
        row.default_privacy = o.visibility;
        row.expand_spoilers = o.expand_spoilers;
        add_second_factor(o, row, sink);
        put_followed_tags(r, o, *account, sink);
        sink.put(std::move(row), "user", o.id, "somebody else has this e-mail address, or this account");
    });
}

// Those of the one who signs in: the first account has them.
void copy_passkeys(const Reading& r, const std::string& position, Sink& sink) {
    std::string first;
    r.db.run("SELECT " FIRST, {}, [&](const db::Foreign::Row& row) { first = row[0].value_or(""); });
    const auto user = sink.numbers.find("user", first);
    if (!user || !r.db.count("passkeys")) return;
    r.each<Passkey>("passkey", "passkeys AS x", position, sink, [&](const Passkey& p) {
        const auto id = base::from_base64(p.id), cose = base::from_base64(p.public_key);
        const auto key = cose ? passkey_of_cose(*cose) : std::nullopt;
        if (!id || id->empty() || !key)
            return sink.refuse("passkey", p.id, "its key is of a kind that is not known here");
        PasskeyRow row;
        row.id = sink.numbers.give("passkey", p.id, p.created);
        row.user_id = *user;
        row.credential = base::base64url(*id);
        row.public_key = base::base64url(key->bytes);
        row.algorithm = key->algorithm;
        row.name = p.nickname;
        row.uses = p.counter;
        row.created_at = p.created;
        sink.put(std::move(row), "passkey", p.id, "another one is the same");
    });
}

void copy_apps(const Reading& r, const std::string& position, Sink& sink) {
    r.each<App>("app", "applications AS x", position, sink, [&](const App& a) {
        AppRow row;
        row.id = sink.numbers.give("app", a.id, a.created);
        row.name = a.name;
        row.website = a.website;
        row.redirect_uris = base::text::joined(a.redirect_uris.items, "\n");
        row.scopes = known_scopes(base::text::joined(a.scopes.items, " ")).value_or("read");
        row.client_id = a.client_id;
        row.secret_hash = base::sha256_hex(a.client_secret);
        row.created_at = a.created;
        sink.put(std::move(row), "app", a.id, "another app has its client id");
    });
}

void copy_tokens(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT md5(t.code) AS id, t.code, t.application_id AS application, t.account_owner_id AS owner, "
        "t.scopes, t.created FROM access_tokens t) AS x";
    r.each<Token>("token", from, position, sink, [&](const Token& t) {
        const auto app = sink.numbers.find("app", t.application), user = sink.numbers.find("user", t.owner);
        if (!app || (!t.owner.empty() && !user)) return;
        const auto scopes = known_scopes(base::text::joined(t.scopes.items, " "));
        if (!scopes) return sink.refuse("token", t.id, "nothing that it allows is known here");
        TokenRow row;
        row.id = sink.numbers.give("token", t.id, t.created);
        row.token_hash = base::sha256_hex(t.code);
        row.app_id = *app;
        row.user_id = user;
        row.scopes = *scopes;
        row.created_at = t.created;
        sink.put(std::move(row), "token", t.id, "another token is the same");
    });
}

}  // namespace takeover::hollo
