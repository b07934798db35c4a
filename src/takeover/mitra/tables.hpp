// SPDX-License-Identifier: AGPL-3.0-or-later
// The tables of Mitra as they are read: members are columns, or what a statement makes of them; what is not read is not named. What is
// of this site has no id of ActivityPub there: it is made of the row's.
#pragma once
#include "db/foreign/foreign.hpp"

namespace takeover::mitra {

using base::Time;
using db::ForeignList;
using Text = std::string;
using MaybeText = std::optional<std::string>;
using MaybeTime = std::optional<Time>;

struct Person {
    Text id, username, domain, actor, type;
    bool local = false;
    MaybeText display_name;
    Text bio, bio_source, avatar, banner, extra_fields, aliases, actor_json;
    bool manually_approves_followers = false;
    std::int64_t follower_count = 0, following_count = 0, post_count = 0;
    Text rsa_key, ed25519_key;  // PEM; bytes, as \x…
    Time created_at;
};
DESCRIBE(
    Person, id, username, domain, actor, type, local, display_name, bio, bio_source, avatar, banner,
    extra_fields, aliases, actor_json, manually_approves_followers, follower_count, following_count,
    post_count, rsa_key, ed25519_key, created_at
)

// The keys of the server: RSA in PKCS#1, and the 32 bytes of Ed25519; each as a list of numbers in JSON.
struct ServerKeys {
    Text id, rsa_secret_key, ed25519_secret_key;
};
DESCRIBE(ServerKeys, id, rsa_secret_key, ed25519_secret_key)

struct Login {
    Text id, username, password_digest;
    std::int64_t user_role = 0, mention_policy = 0;
    bool first_admin = false;
    Text shared_client_config;
    Time created_at;
};
DESCRIBE(
    Login, id, username, password_digest, user_role, mention_policy, first_admin, shared_client_config,
    created_at
)

struct App {
    Text id, app_name;
    MaybeText website;
    ForeignList scopes;
    Text redirect_uri, client_id, client_secret;
    Time created_at;
};
DESCRIBE(App, id, app_name, website, scopes, redirect_uri, client_id, client_secret, created_at)

struct Token {
    Text id, owner, application, digest;  // in hexadecimal digits
    ForeignList scopes;
    Time created_at, expires_at;
};
DESCRIBE(Token, id, owner, application, digest, scopes, created_at, expires_at)

struct Invite {
    Text id, owner;
    Time created_at;
};
DESCRIBE(Invite, id, owner, created_at)

struct Post {
    Text id, author;
    bool local = false;
    Text title, content;
    MaybeText content_source;
    Text language, conversation, answers, answers_author, boosts, boosts_conversation;
    bool older_boost_id = false;
    std::int64_t visibility = 0;
    bool is_sensitive = false, is_pinned = false;
    Text url, object_id, actor, conversation_uri;
    bool conversation_here = false;
    Time created_at;
    MaybeTime updated_at;
};
DESCRIBE(
    Post, id, author, local, title, content, content_source, language, conversation, answers, answers_author,
    boosts, boosts_conversation, older_boost_id, visibility, is_sensitive, is_pinned, url, object_id, actor,
    conversation_uri, conversation_here, created_at, updated_at
)

// What says who and what has to do with a post.
struct Medium {
    Text id, post, media;
    MaybeText description;
    Time created_at;
};
DESCRIBE(Medium, id, post, media, description, created_at)

struct Poll {
    Text id;
    bool multiple_choices = false;
    MaybeTime ends_at;
    Text results;
    std::optional<std::int64_t> voters_count;
};
DESCRIBE(Poll, id, multiple_choices, ends_at, results, voters_count)

struct Vote {
    Text id, poll, voter, choice, results;
};
DESCRIBE(Vote, id, poll, voter, choice, results)

struct Reaction {
    Text id, author, post, activity_id;
    bool local = false, older_id = false;
    Time created_at;
};
DESCRIBE(Reaction, id, author, post, activity_id, local, older_id, created_at)

struct Quote {
    Text id, quoted, author, quoted_author;
    Time created_at;
};
DESCRIBE(Quote, id, quoted, author, quoted_author, created_at)

// A follow or a request, with the request that others know it by.
struct Follow {
    Text id, source, target, request, activity_id;
    bool local = false, older_id = false, hides_boosts = false;
    Time created_at;
};
DESCRIBE(Follow, id, source, target, request, activity_id, local, older_id, hides_boosts, created_at)

// Of one and another.
struct Pair {
    Text id, owner, other;
    Time created_at;
};
DESCRIBE(Pair, id, owner, other, created_at)

struct Feed {
    Text id, owner, feed_name;
    Time created_at;
};
DESCRIBE(Feed, id, owner, feed_name, created_at)

struct Notification {
    Text id, sender, recipient, post;
    std::int64_t event_type = 0;
    Time created_at;
};
DESCRIBE(Notification, id, sender, recipient, post, event_type, created_at)

struct Marker {
    Text id, owner, last_read_id;
    std::int64_t timeline = 0;
    Time updated_at;
    std::optional<Time> made;  // the post
};
DESCRIBE(Marker, id, owner, last_read_id, timeline, updated_at, made)

struct Emoji {
    Text id, emoji_name, image;
    MaybeText category;
    Time updated_at;
};
DESCRIBE(Emoji, id, emoji_name, image, category, updated_at)

struct Rule {
    Text id, target;
    std::int64_t filter_action = 0;
    bool is_reversed = false;
};
DESCRIBE(Rule, id, target, filter_action, is_reversed)

}  // namespace takeover::mitra
