// SPDX-License-Identifier: AGPL-3.0-or-later
// The tables of Hollo as they are read: members are columns, or what a statement makes of them; what is not read is not named. Nearly
// everything has a UUID as its id; what has none is named by those of the two that it is between.
#pragma once
#include "db/foreign/foreign.hpp"

namespace takeover::hollo {

using base::Time;
using db::ForeignList;
using Text = std::string;
using MaybeText = std::optional<std::string>;
using MaybeTime = std::optional<Time>;

struct Person {
    Text id, iri, handle, name, type;
    bool local = false;
    Text bio, bio_html, fields, url;
    bool locked = false, discoverable = false, shows_following = false;
    Text avatar_url, cover_url, inbox_url, followers_url, shared_inbox_url, featured_url;
    std::int64_t following_count = 0, followers_count = 0, posts_count = 0;
    Text successor;
    ForeignList aliases;
    Text rsa_private, rsa_public, ed25519_private, ed25519_public;
    Time made;
};
DESCRIBE(
    Person, id, iri, handle, name, type, local, bio, bio_html, fields, url, locked, discoverable,
    shows_following, avatar_url, cover_url, inbox_url, followers_url, shared_inbox_url, featured_url,
    following_count, followers_count, posts_count, successor, aliases, rsa_private, rsa_public,
    ed25519_private, ed25519_public, made
)

// Of an account here, with what its person signs in with.
struct Owner {
    Text id, handle, email, password_hash, visibility, language;
    bool expand_spoilers = false, first = false;
    ForeignList followed_tags;
    Text secret, algorithm;
    std::int64_t digits = 0, period = 0;
    Time made;
};
DESCRIBE(
    Owner, id, handle, email, password_hash, visibility, language, expand_spoilers, first, followed_tags,
    secret, algorithm, digits, period, made
)

struct Passkey {
    Text id, public_key, nickname;
    std::int64_t counter = 0;
    Time created;
};
DESCRIBE(Passkey, id, public_key, nickname, counter, created)

struct App {
    Text id, name;
    ForeignList redirect_uris, scopes;
    MaybeText website;
    Text client_id, client_secret;
    Time created;
};
DESCRIBE(App, id, name, redirect_uris, scopes, website, client_id, client_secret, created)

// Its id is a hash of its code, which nobody may read in a list of what was refused.
struct Token {
    Text id, code, application, owner;
    ForeignList scopes;
    Time created;
};
DESCRIBE(Token, id, code, application, owner, scopes, created)

struct Post {
    Text id, iri, account;
    bool local = false;
    Text application, answers, answers_account, shares, shares_iri, quotes;
    MaybeText quote_approval_policy;
    Text visibility, summary, content_html;
    MaybeText content;
    Text poll;
    MaybeText language;
    Text tags;
    bool sensitive = false;
    Text url;
    Time published, updated;
};
DESCRIBE(
    Post, id, iri, account, local, application, answers, answers_account, shares, shares_iri, quotes,
    quote_approval_policy, visibility, summary, content_html, content, poll, language, tags, sensitive, url,
    published, updated
)

// What says who and what has to do with a post.
struct Medium {
    Text id, post, type, url;
    std::int64_t position = 0, width = 0, height = 0;
    MaybeText description;
    Text thumbnail_url;
    std::int64_t thumbnail_width = 0, thumbnail_height = 0;
    bool thumbnail_cleaned = false;
    Time created;
};
DESCRIBE(
    Medium, id, post, type, url, position, width, height, description, thumbnail_url, thumbnail_width,
    thumbnail_height, thumbnail_cleaned, created
)

struct Poll {
    Text id, post;
    bool multiple = false;
    std::int64_t voters_count = 0;
    Time expires;
    ForeignList titles, votes;
};
DESCRIBE(Poll, id, post, multiple, voters_count, expires, titles, votes)

struct Vote {
    Text id, poll, account, post;
    std::int64_t choice = 0;
};
DESCRIBE(Vote, id, poll, account, post, choice)

struct Quote {
    Text id, account, quoted, quoted_account, state, authorization, quoted_iri;
    Time published;
};
DESCRIBE(Quote, id, account, quoted, quoted_account, state, authorization, quoted_iri, published)

// A like or a reaction.
struct Like {
    Text id, account, account_iri, post, emoji;
    bool local = false;
    Time created;
    Text date;  // as it stands in its address
};
DESCRIBE(Like, id, account, account_iri, post, emoji, local, created, date)

// Of an account and a post, another account or a word.
struct Pair {
    Text id, account, other;
    Time created;
};
DESCRIBE(Pair, id, account, other, created)

struct Follow {
    Text id, iri, follower, following;
    bool local = false, shares = true, notify = false, request = false;
    ForeignList languages;
    Time created;
};
DESCRIBE(Follow, id, iri, follower, following, local, shares, notify, request, languages, created)

struct Mute {
    Text id, account, muted;
    bool notifications = true;
    MaybeTime expires;
    Time created;
};
DESCRIBE(Mute, id, account, muted, notifications, expires, created)

struct Block {
    Text id, account, account_iri, blocked;
    bool local = false;
    Time created;
};
DESCRIBE(Block, id, account, account_iri, blocked, local, created)

struct List {
    Text id, owner, title, replies_policy;
    bool exclusive = false;
    Time created;
};
DESCRIBE(List, id, owner, title, replies_policy, exclusive, created)

struct Notification {
    Text id, owner, type, actor, post;
    Time created;
};
DESCRIBE(Notification, id, owner, type, actor, post, created)

struct Marker {
    Text id, owner, type, last_read_id;
    std::int64_t version = 0;
    Time updated;
    std::optional<Time> made;  // the post
};
DESCRIBE(Marker, id, owner, type, last_read_id, version, updated, made)

struct Emoji {
    Text id, url;
    MaybeText category;
    Time created;
};
DESCRIBE(Emoji, id, url, category, created)

struct Report {
    Text id, account, target, comment;
    ForeignList posts;
    Time created;
};
DESCRIBE(Report, id, account, target, comment, posts, created)

}  // namespace takeover::hollo
