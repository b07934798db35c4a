// SPDX-License-Identifier: AGPL-3.0-or-later
// Which posts and people come along: what is of this site, and what somebody here has to do with.
#include "takeover/hollo/reading.hpp"

namespace takeover::hollo {

namespace {

#define HERE "(SELECT id FROM account_owners)"
#define OWN "(SELECT id FROM posts WHERE actor_id IN " HERE " AND sharing_id IS NULL)"

// Each post with the one that its thread begins with. A circle has none: there each is its own.
constexpr const char* roots =
    "(WITH RECURSIVE tree(id, root) AS (SELECT id, id FROM posts WHERE reply_target_id IS NULL "
    "UNION ALL SELECT p.id, t.root FROM posts p JOIN tree t ON p.reply_target_id = t.id), "
    "rooted AS MATERIALIZED (SELECT p.id, p.actor_id AS account, COALESCE(t.root, p.id) AS root, "
    "COALESCE(p.published, p.updated) AS made, p.quote_target_id FROM posts p "
    "LEFT JOIN tree t ON t.id = p.id WHERE p.sharing_id IS NULL) "
    "SELECT y.id, y.account, y.root AS thread, y.made FROM rooted y";

// A condition on rooted posts y.
constexpr const char* wanted =
    " WHERE y.root IN (SELECT o.root FROM rooted o WHERE o.account IN " HERE
    ") "
    "OR y.quote_target_id IN " OWN " OR y.id IN (SELECT quote_target_id FROM posts WHERE actor_id IN " HERE
    " AND quote_target_id IS NOT NULL) "
    "OR y.id IN (SELECT sharing_id FROM posts WHERE actor_id IN " HERE
    " AND sharing_id IS NOT NULL) "
    "OR y.id IN (SELECT post_id FROM likes WHERE account_id IN " HERE
    ") "
    "OR y.id IN (SELECT post_id FROM reactions WHERE account_id IN " HERE
    ") "
    "OR y.id IN (SELECT post_id FROM bookmarks) "
    "OR y.id IN (SELECT post_id FROM mentions WHERE account_id IN " HERE
    ") "
    "OR y.id IN (SELECT target_post_id FROM notifications WHERE target_post_id IS NOT NULL) "
    "OR y.id IN (SELECT unnest(posts) FROM reports) "
    "OR y.id IN (SELECT p.id FROM posts p JOIN poll_votes v ON v.poll_id = p.poll_id WHERE v.account_id "
    "IN " HERE ")";

// Of who is loved by so many that nobody here knows, the boosts stay away.
constexpr const char* boosts =
    "(SELECT b.id, b.actor_id AS account, b.sharing_id AS thread, COALESCE(b.published, b.updated) AS "
    "made "
    "FROM posts b WHERE b.sharing_id IS NOT NULL";
constexpr const char* boosts_wanted = " AND (b.actor_id IN " HERE " OR b.sharing_id IN " OWN ")";

constexpr const char* known_people[] = {
    "SELECT following_id FROM follows UNION SELECT follower_id FROM follows",
    "SELECT muted_account_id FROM mutes UNION SELECT account_id FROM mutes",
    "SELECT blocked_account_id FROM blocks UNION SELECT account_id FROM blocks",
    "SELECT account_id FROM list_members",
    "SELECT actor_account_id FROM notifications WHERE actor_account_id IS NOT NULL",
    "SELECT account_id FROM likes WHERE post_id IN " OWN,
    "SELECT account_id FROM reactions WHERE post_id IN " OWN,
    "SELECT v.account_id FROM poll_votes v JOIN posts p ON p.poll_id = v.poll_id WHERE p.actor_id IN " HERE,
    "SELECT account_id FROM reports UNION SELECT target_account_id FROM reports",
    "SELECT successor_id FROM accounts WHERE id IN " HERE " AND successor_id IS NOT NULL",
    "SELECT account_id FROM mentions WHERE post_id IN " OWN,
};

}  // namespace

void give_numbers(const Reading& r, const std::string&, Sink& sink) {
    const bool all = r.choice.everything;
    const WhatIsKept kept{
        roots + std::string(all ? "" : wanted) + ") AS x",
        boosts + std::string(all ? "" : boosts_wanted) + ") AS x",
        "(SELECT m.post_id AS post, m.account_id AS account FROM mentions m) AS x",
        known_people
    };
    auto& numbers = sink.numbers;
    give_numbers_to(
        kept,
        people,
        &Person::made,
        "ORDER BY x.made, x.id",
        r,
        sink,
        [&](const KeptPost& post, Time date) {
            // A thread is called by each of its posts, which do not name it.
            numbers.set("thread", post.id, numbers.give("thread", post.thread, date));
        }
    );
}

}  // namespace takeover::hollo
