// SPDX-License-Identifier: AGPL-3.0-or-later
// The tables of Pleroma and Akkoma as they are read: members are columns, or what a statement makes of them; what is not read is
// not named. The first member names the row: the address of what has one. People and activities have flakes, stored as UUIDs, all
// else numbers.
#pragma once
#include "db/foreign/foreign.hpp"

namespace takeover::pleroma {

using base::Time;
using db::ForeignList;
using Text = std::string;
using MaybeText = std::optional<std::string>;
using MaybeTime = std::optional<Time>;

struct User {
    Text ap_id, id, nickname;
    MaybeText name;
    Text bio, raw_bio;
    ForeignList fields, raw_fields;
    bool local = false, is_locked = false, is_discoverable = false, indexable = false;
    Text actor_type, follower_address, following_address, featured_address, inbox, shared_inbox, uri;
    ForeignList also_known_as;
    Text avatar, banner;
    bool is_active = true, hide_followers = false, hide_follows = false;
    std::int64_t follower_count = 0, following_count = 0, note_count = 0;
    Text keys, public_key;  // of Pleroma
    Time inserted_at, updated_at;
};
DESCRIBE(
    User, ap_id, id, nickname, name, bio, raw_bio, fields, raw_fields, local, is_locked, is_discoverable,
    indexable, actor_type, follower_address, following_address, featured_address, inbox, shared_inbox, uri,
    also_known_as, avatar, banner, is_active, hide_followers, hide_follows, follower_count, following_count,
    note_count, keys, public_key, inserted_at, updated_at
)

// Of Akkoma.
struct SigningKey {
    Text user_id, key_id, public_key, private_key;
};
DESCRIBE(SigningKey, user_id, key_id, public_key, private_key)

// Of somebody who can sign in.
struct Login {
    Text ap_id, id, nickname;
    MaybeText email, password_hash;
    bool local = false, is_active = true, is_confirmed = true, is_approved = true, is_admin = false,
         is_moderator = false, password_reset_pending = false;
    MaybeText registration_reason;
    Text language, default_scope, multi_factor_authentication_settings;
    bool disclose_client = true;
    ForeignList domain_blocks;
    MaybeTime last_active_at;
    Time inserted_at;
};
DESCRIBE(
    Login, ap_id, id, nickname, email, password_hash, local, is_active, is_confirmed, is_approved, is_admin,
    is_moderator, password_reset_pending, registration_reason, language, default_scope,
    multi_factor_authentication_settings, disclose_client, domain_blocks, last_active_at, inserted_at
)

struct App {
    std::int64_t id = 0;
    Text client_name, redirect_uris;
    ForeignList scopes;
    MaybeText website;
    Text client_id, client_secret;
    Time inserted_at;
};
DESCRIBE(App, id, client_name, redirect_uris, scopes, website, client_id, client_secret, inserted_at)

struct Token {
    std::int64_t id = 0;
    Text token, app_id, owner;
    bool of_person = false;
    ForeignList scopes;
    MaybeTime valid_until;
    Time inserted_at;
};
DESCRIBE(Token, id, token, app_id, owner, of_person, scopes, valid_until, inserted_at)

struct Push {
    std::int64_t id = 0;
    Text owner, token_id, endpoint, key_p256dh, key_auth, data;
    Time inserted_at;
};
DESCRIBE(Push, id, owner, token_id, endpoint, key_p256dh, key_auth, data, inserted_at)

// A post, or what else has an address and is no activity.
struct Object {
    Text uri;
    std::int64_t id = 0;
    Text data;
    Time inserted_at;
};
DESCRIBE(Object, uri, id, data, inserted_at)

// What of a post says who has to do with it.
struct Named {
    Text uri;
    std::int64_t id = 0;
    Text actor, context, people;
    MaybeText published;
    Time inserted_at;
};
DESCRIBE(Named, uri, id, actor, context, people, published, inserted_at)

struct Activity {
    Text uri, id, type, actor, object, context;
    ForeignList to, cc;
    MaybeText published;
    bool local = false;
    Time inserted_at;
};
DESCRIBE(Activity, uri, id, type, actor, object, context, to, cc, published, local, inserted_at)

struct Answer {
    Text uri;
    std::int64_t id = 0;
    Text actor, question, name, one_of, any_of;
};
DESCRIBE(Answer, uri, id, actor, question, name, one_of, any_of)

struct Quote {
    Text uri;
    std::int64_t id = 0;
    Text actor, quoted, quoted_actor;
    Time inserted_at;
};
DESCRIBE(Quote, uri, id, actor, quoted, quoted_actor, inserted_at)

// Between two people.
struct Follow {
    std::int64_t id = 0;
    Text follower, followed;
    bool local = false, pending = false, hides_boosts = false, notifies = false;
    MaybeText uri;
    Time inserted_at;
};
DESCRIBE(Follow, id, follower, followed, local, pending, hides_boosts, notifies, uri, inserted_at)

struct Relation {
    std::int64_t id = 0;
    Text source, target;
    std::int64_t relationship_type = 0;
    bool silences = false;
    MaybeText uri;
    MaybeTime expires_at;
    Time inserted_at;
};
DESCRIBE(Relation, id, source, target, relationship_type, silences, uri, expires_at, inserted_at)

struct Note {
    std::int64_t id = 0;
    Text source, target, comment;
};
DESCRIBE(Note, id, source, target, comment)

// Of somebody and a post, a thread or a hashtag.
struct Bookmark {
    std::int64_t id = 0;
    Text owner, object;
    Time inserted_at;
};
DESCRIBE(Bookmark, id, owner, object, inserted_at)
struct Owned {
    std::int64_t id = 0;
    Text owner, what;
};
DESCRIBE(Owned, id, owner, what)

struct List {
    std::int64_t id = 0;
    Text owner, title;
    Time inserted_at;
};
DESCRIBE(List, id, owner, title, inserted_at)

struct Filter {
    std::int64_t id = 0;
    Text owner, phrase;
    bool hide = false, whole_word = true;
    ForeignList context;
    MaybeTime expires_at;
    Time inserted_at;
};
DESCRIBE(Filter, id, owner, phrase, hide, whole_word, context, expires_at, inserted_at)

struct Notification {
    std::int64_t id = 0;
    Text owner, actor, type, object;
    Time inserted_at;
};
DESCRIBE(Notification, id, owner, actor, type, object, inserted_at)

struct Marker {
    std::int64_t id = 0;
    Text owner, timeline, last_read_id;
    std::int64_t lock_version = 0;
    Time updated_at;
};
DESCRIBE(Marker, id, owner, timeline, last_read_id, lock_version, updated_at)

// Of somebody in a thread of direct posts.
struct Conversation {
    std::int64_t id = 0;
    Text owner, context;
    ForeignList people;
    bool read = false;
    Time inserted_at;
};
DESCRIBE(Conversation, id, owner, context, people, read, inserted_at)

struct Scheduled {
    std::int64_t id = 0;
    Text owner;
    Time scheduled_at;
    Text params;
    Time inserted_at;
};
DESCRIBE(Scheduled, id, owner, scheduled_at, params, inserted_at)

struct Report {
    Text uri, id, actor, data;
    Time inserted_at, updated_at;
};
DESCRIBE(Report, uri, id, actor, data, inserted_at, updated_at)

struct Rule {
    std::int64_t id = 0, priority = 0;
    Text text, hint;
};
DESCRIBE(Rule, id, priority, text, hint)

struct Setting {
    std::int64_t id = 0;
    Text group, key, value;
};
DESCRIBE(Setting, id, group, key, value)

}  // namespace takeover::pleroma
