// SPDX-License-Identifier: AGPL-3.0-or-later
// Which posts and people come along: what is of this site, and what somebody here has to do with.
#include "takeover/mitra/reading.hpp"

namespace takeover::mitra {

namespace {

#define HERE "(SELECT id FROM user_account)"
#define OWN "(SELECT id FROM post WHERE author_id IN " HERE " AND repost_of_id IS NULL)"

constexpr const char* posts =
    "(SELECT p.id, p.author_id AS account, p.conversation_id AS thread, p.created_at AS made FROM post p "
    "WHERE p.repost_of_id IS NULL";

constexpr const char* wanted =
    " AND (p.conversation_id IN (SELECT conversation_id FROM post WHERE author_id IN " HERE
    " AND conversation_id IS NOT NULL) "
    "OR p.id IN (SELECT repost_of_id FROM post WHERE author_id IN " HERE
    " AND repost_of_id IS NOT NULL) "
    "OR p.id IN (SELECT target_id FROM post_link WHERE source_id IN " OWN
    ") "
    "OR p.id IN (SELECT source_id FROM post_link WHERE target_id IN " OWN
    ") "
    "OR p.id IN (SELECT post_id FROM post_reaction WHERE author_id IN " HERE
    ") "
    "OR p.id IN (SELECT post_id FROM bookmark) "
    "OR p.id IN (SELECT post_id FROM post_mention WHERE profile_id IN " HERE
    ") "
    "OR p.id IN (SELECT post_id FROM notification WHERE post_id IS NOT NULL) "
    "OR p.id IN (SELECT poll_id FROM poll_vote WHERE voter_id IN " HERE "))";

// Boosts by accounts that nobody here has to do with are not copied.
constexpr const char* boosts =
    "(SELECT b.id, b.author_id AS account, b.repost_of_id AS thread, b.created_at AS made FROM post b "
    "WHERE b.repost_of_id IS NOT NULL";
constexpr const char* boosts_wanted = " AND (b.author_id IN " HERE " OR b.repost_of_id IN " OWN ")";

constexpr const char* known_people[] = {
    "SELECT source_id FROM relationship UNION SELECT target_id FROM relationship",
    "SELECT source_id FROM follow_request UNION SELECT target_id FROM follow_request",
    "SELECT source_id FROM custom_feed_source",
    "SELECT sender_id FROM notification",
    "SELECT author_id FROM post_reaction WHERE post_id IN " OWN,
    "SELECT voter_id FROM poll_vote WHERE poll_id IN " OWN,
    "SELECT profile_id FROM post_mention WHERE post_id IN " OWN,
};

}  // namespace

void give_numbers(const Reading& r, const std::string&, Sink& sink) {
    const bool all = r.choice.everything;
    const WhatIsKept kept{
        posts + std::string(all ? "" : wanted) + ") AS x",
        boosts + std::string(all ? "" : boosts_wanted) + ") AS x",
        "(SELECT m.post_id AS post, m.profile_id AS account FROM post_mention m) AS x",
        known_people
    };
    give_numbers_to(
        kept,
        people,
        &Person::created_at,
        "ORDER BY x.created_at, x.id",
        r,
        sink,
        [&](const KeptPost& post, Time date) { sink.numbers.give("thread", post.thread, date); }
    );
}

}  // namespace takeover::mitra
