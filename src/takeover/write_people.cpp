// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/crypto.hpp"
#include "social/accounts/remote/server_limits.hpp"
#include "takeover/rows.hpp"

namespace takeover {

const db::Command take_account{
    "take_account",
    R"(INSERT INTO accounts (id, username, domain, actor_type, locked, discoverable, indexable, hide_collections,
           show_media, show_media_replies, show_featured, followers_count, following_count, statuses_count,
           last_status_at, suspended_at, silenced_at, sensitized_at, memorial, created_at, display_name, note,
           note_html, fields, avatar, avatar_static, avatar_description, header, header_static, header_description,
           attribution_domains, uri, url, suspended_by, moved_to_id, silenced_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
           $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36)
       ON CONFLICT DO NOTHING)"
};
const db::Command take_alias{
    "take_alias",
    "INSERT INTO aliases (account_id, uri, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
};
const db::Command take_actor{
    "take_actor",
    R"(INSERT INTO actors (account_id, inbox, shared_inbox, outbox, followers, following, featured, refreshed_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 0) ON CONFLICT DO NOTHING)"
};
const db::Command take_key{
    "take_key",
    R"(INSERT INTO actor_keys (id, account_id, type, public_key, private_key, created_at)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING)"
};
namespace {

std::optional<Id> id_or_none(base::AccountId id) { return id ? std::optional<Id>(id.value) : std::nullopt; }

}  // namespace

void write(db::Write& db, const KeyRow& key, Id account) {
    db.run(take_key, key.id, account, key.type, key.public_key, key.private_key, db.now());
}

// In the place of one that this server made for itself while it had nothing else.
const db::Command take_server_key{
    "take_server_key",
    R"(INSERT INTO actor_keys (id, account_id, type, public_key, private_key, created_at)
       VALUES ($1, 0, $2, $3, $4, $5)
       ON CONFLICT (id) DO UPDATE SET type = excluded.type, public_key = excluded.public_key,
           private_key = excluded.private_key WHERE actor_keys.account_id = 0)"
};

void write(db::Write& db, const ServerKeyRow& row) {
    db.run(take_server_key, row.key.id, row.key.type, row.key.public_key, row.key.private_key, db.now());
}

bool write(db::Write& db, const AccountRow& row) {
    const auto& a = row.account;
    const bool stored = db.run(
                            take_account,
                            a.id,
                            a.username,
                            a.domain,
                            a.actor_type,
                            a.locked,
                            a.discoverable,
                            a.indexable,
                            a.hide_collections,
                            a.show_media,
                            a.show_media_replies,
                            a.show_featured,
                            a.followers_count,
                            a.following_count,
                            a.statuses_count,
                            a.last_status_at,
                            a.suspended_at,
                            a.silenced_at,
                            a.sensitized_at,
                            a.memorial,
                            a.created_at,
                            a.display_name,
                            a.note,
                            a.note_html,
                            a.fields,
                            a.avatar,
                            a.avatar_static,
                            a.avatar_description,
                            a.header,
                            a.header_static,
                            a.header_description,
                            a.attribution_domains,
                            a.uri,
                            a.url,
                            row.suspended_by,
                            id_or_none(a.moved_to_id),
                            row.silenced_by
                        ) > 0;
    if (!stored) return false;
    for (const auto& alias : row.aliases) db.run(take_alias, a.id, alias, a.created_at);
    if (row.actor)
        db.run(
            take_actor,
            a.id,
            row.actor->inbox,
            row.actor->shared_inbox,
            row.actor->outbox,
            row.actor->followers,
            row.actor->following,
            row.actor->featured
        );
    for (const auto& key : row.keys) write(db, key, a.id.value);
    if (!a.domain.empty()) accounts::note_server(db, a.domain);
    return true;
}

const db::Command take_user{
    "take_user",
    R"(INSERT INTO users (id, account_id, role_id, email, password_hash, confirmed_at, approved, disabled, locale,
           time_zone, default_privacy, default_sensitive, default_language, default_quote_policy, expand_media,
           expand_spoilers, autoplay_gifs, show_application, chosen_languages, created_by_app_id, reason,
           age_verified_at, unconfirmed_email, last_active_at, created_at, second_factor, invite_code)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
           $23, $24, $25, $26, $27)
       ON CONFLICT DO NOTHING)"
};
const db::Command take_authenticator{
    "take_authenticator",
    R"(INSERT INTO authenticators (user_id, secret, confirmed_at, last_step) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING)"
};

const db::Command take_recovery_code{
    "take_recovery_code",
    "INSERT INTO recovery_codes (user_id, code_hash) VALUES ($1, $2) ON CONFLICT DO NOTHING"
};

bool write(db::Write& db, const UserRow& u) {
    const bool stored = db.run(
                            take_user,
                            u.id,
                            u.account_id,
                            u.role_id,
                            u.email,
                            u.password_hash,
                            u.confirmed_at,
                            u.approved,
                            u.disabled,
                            u.locale,
                            u.time_zone,
                            u.default_privacy,
                            u.default_sensitive,
                            u.default_language,
                            u.default_quote_policy,
                            u.expand_media,
                            u.expand_spoilers,
                            u.autoplay_gifs,
                            u.show_application,
                            u.chosen_languages,
                            u.created_by_app,
                            u.reason,
                            u.age_verified_at,
                            u.unconfirmed_email,
                            u.last_active_at,
                            u.created_at,
                            !u.authenticator.empty(),
                            u.invite_code
                        ) > 0;
    if (stored && u.mails) accounts::choose_notifications(db, {u.account_id}, *u.mails);
    if (!stored || u.authenticator.empty()) return stored;
    db.run(
        take_authenticator,
        u.id,
        base::base64url(u.authenticator),
        u.second_factor_at.value_or(u.created_at),
        u.last_step
    );
    for (const auto& hash : u.recovery_codes) db.run(take_recovery_code, u.id, hash);
    return true;
}

const db::Command take_passkey{
    "take_passkey",
    R"(INSERT INTO passkeys (id, user_id, credential, public_key, algorithm, uses, name, created_at, challenged_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8) ON CONFLICT DO NOTHING)"
};

bool write(db::Write& db, const PasskeyRow& p) {
    return db.run(
               take_passkey,
               p.id,
               p.user_id,
               p.credential,
               p.public_key,
               p.algorithm,
               p.uses,
               p.name,
               p.created_at
           ) > 0;
}

}  // namespace takeover
