// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/relationships/follow_lists.hpp"

#include "social/relationships/relationship.hpp"

namespace relationships {

// $2: the viewer; $3 < cursor < $4; $6: the present time.
const db::Query<ListedAccount> list_followers{
    "list_followers",
    "SELECT f.id AS cursor, f.account_id AS account, a.version FROM follows f "
    "JOIN accounts a ON a.id = f.account_id WHERE f.target_id = $1 AND f.id > $3 AND f.id < $4 "
    "AND ($1 = $2 OR (" NOT_HIDDEN_FROM("$2", "$6", "f.account_id") ")) ORDER BY f.id DESC LIMIT $5"
};

std::vector<ListedAccount> followers(
    db::Read& db, base::AccountId of, base::AccountId viewer, const base::Range& page
) {
    return db.all(list_followers, of, viewer, page.above, page.below, page.limit, db.now());
}

// Checks each follower separately: with a join, PostgreSQL may start from all local accounts. It plans this
// once (docs/decisions/0011-plans.md).
#define FOLLOWED_HERE(target)                                             \
    "EXISTS (SELECT 1 FROM follows f WHERE f.target_id = (SELECT " target \
    ") AND (SELECT a.domain FROM accounts a WHERE a.id = f.account_id) = '')"
const db::Query<bool> followed_here{"followed_here", "SELECT " FOLLOWED_HERE("CAST($1 AS BIGINT)")};
const db::Query<AccountId> followed_here_among{
    "followed_here_among", "SELECT w.id FROM accounts w WHERE w.id IN LIST($1) AND " FOLLOWED_HERE("w.id")
};

namespace {

std::string question_whether_followed(AccountId id) { return "followed here " + std::to_string(id.value); }

}  // namespace

bool is_followed_here(db::Read& db, AccountId id) {
    return db.memoized(question_whether_followed(id), [&] { return db.one(followed_here, id); });
}

db::Remembering ask_who_is_followed_here(db::Read& db, const std::vector<AccountId>& ids) {
    db.expect(followed_here_among, ids);
    return [&db, ids] {
        for (const auto id : ids) db.remember(question_whether_followed(id), false);
        for (const auto id : db.all(followed_here_among, ids))
            db.remember(question_whether_followed(id), true);
    };
}

const db::Query<ListedAccount> list_following{
    "list_following",
    "SELECT f.id AS cursor, f.target_id AS account, a.version FROM follows f "
    "JOIN accounts a ON a.id = f.target_id WHERE f.account_id = $1 AND f.id > $3 AND f.id < $4 "
    "AND ($1 = $2 OR (" NOT_HIDDEN_FROM("$2", "$6", "f.target_id") ")) ORDER BY f.id DESC LIMIT $5"
};

std::vector<ListedAccount> following(
    db::Read& db, base::AccountId of, base::AccountId viewer, const base::Range& page
) {
    return db.all(list_following, of, viewer, page.above, page.below, page.limit, db.now());
}

const db::Query<ListedAccount> list_follow_requests{
    "list_follow_requests",
    R"(SELECT r.id AS cursor, r.account_id AS account, a.version
       FROM follow_requests r JOIN accounts a ON a.id = r.account_id
       WHERE r.target_id = $1 AND r.id > $2 AND r.id < $3 AND a.suspended_at IS NULL ORDER BY r.id DESC LIMIT $4)"
};

std::vector<ListedAccount> follow_requests(db::Read& db, base::AccountId to, const base::Range& page) {
    return db.all(list_follow_requests, to, page.above, page.below, page.limit);
}

const db::Query<ListedAccount> list_blocks{
    "list_blocks",
    R"(SELECT b.id AS cursor, b.target_id AS account, a.version FROM blocks b JOIN accounts a ON a.id = b.target_id
       WHERE b.account_id = $1 AND b.id > $2 AND b.id < $3 AND a.suspended_at IS NULL ORDER BY b.id DESC LIMIT $4)"
};

std::vector<ListedAccount> blocks(db::Read& db, base::AccountId by, const base::Range& page) {
    return db.all(list_blocks, by, page.above, page.below, page.limit);
}

const db::Query<MutedAccount> list_mutes{
    "list_mutes",
    R"(SELECT m.id AS cursor, m.target_id AS account, a.version, m.expires_at
       FROM mutes m JOIN accounts a ON a.id = m.target_id
       WHERE m.account_id = $1 AND m.id > $2 AND m.id < $3 AND a.suspended_at IS NULL
         AND (m.expires_at IS NULL OR m.expires_at > $5) ORDER BY m.id DESC LIMIT $4)"
};

std::vector<MutedAccount> mutes(db::Read& db, base::AccountId by, const base::Range& page) {
    return db.all(list_mutes, by, page.above, page.below, page.limit, db.now());
}

bool network_visible(db::Read& db, const accounts::Account& account, base::AccountId viewer) {
    if (account.suspended_at) return false;
    if (account.id == viewer) return true;
    if (account.hide_collections.value_or(false)) return false;
    return !viewer || !pair_state(db, account.id, viewer).blocking;
}

#define FAMILIAR                                                                                   \
    "SELECT f.target_id AS of, a.id AS account, a.version FROM accounts t "                        \
    "JOIN follows f ON f.target_id = t.id "                                                        \
    "JOIN follows mine ON mine.account_id = $1 AND mine.target_id = f.account_id "                 \
    "JOIN accounts a ON a.id = f.account_id "                                                      \
    "WHERE COALESCE(t.hide_collections, FALSE) = FALSE AND t.suspended_at IS NULL AND t.id <> $1 " \
    "AND COALESCE(a.hide_collections, FALSE) = FALSE AND a.suspended_at IS NULL "

const db::Query<Familiar> list_familiar{
    "list_familiar", FAMILIAR "AND t.id IN LIST($2) ORDER BY f.target_id, f.id DESC LIMIT $3"
};

std::vector<Familiar> familiar_followers(
    db::Read& db, base::AccountId viewer, const std::vector<base::AccountId>& of
) {
    // There may be many ids with thousands of followers each; the response has to be limited.
    constexpr int most = 4000;
    if (of.empty()) return {};
    return db.all(list_familiar, viewer, of, most);
}

}  // namespace relationships
