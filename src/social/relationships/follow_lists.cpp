// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/relationships/follow_lists.hpp"

#include "social/relationships/relationship.hpp"

namespace relationships {

// $2 looks at the list; $3 < cursor < $4; $6 is now.
#define NOT_HIDDEN_FROM_2(ACCOUNT)                                                                           \
    "AND ($1 = $2 OR (NOT EXISTS (SELECT 1 FROM blocks b WHERE b.account_id = $2 AND b.target_id = " ACCOUNT \
    ") "                                                                                                     \
    "AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.account_id = " ACCOUNT                                   \
    " AND b.target_id = $2) "                                                                                \
    "AND NOT EXISTS (SELECT 1 FROM mutes m WHERE m.account_id = $2 AND m.target_id = " ACCOUNT               \
    " AND (m.expires_at IS NULL OR m.expires_at > $6)))) "

const db::Query<ListedAccount> list_followers{
    "list_followers",
    "SELECT f.id AS cursor, f.account_id AS account FROM follows f WHERE f.target_id = $1 "
    "AND f.id > $3 AND f.id < $4 " NOT_HIDDEN_FROM_2("f.account_id") "ORDER BY f.id DESC LIMIT $5"
};

std::vector<ListedAccount> followers(
    db::Read& db, base::AccountId of, base::AccountId viewer, const base::Range& page
) {
    return db.all(list_followers, of, viewer, page.above, page.below, page.limit, db.now());
}

const db::Query<ListedAccount> list_following{
    "list_following",
    "SELECT f.id AS cursor, f.target_id AS account FROM follows f WHERE f.account_id = $1 "
    "AND f.id > $3 AND f.id < $4 " NOT_HIDDEN_FROM_2("f.target_id") "ORDER BY f.id DESC LIMIT $5"
};

std::vector<ListedAccount> following(
    db::Read& db, base::AccountId of, base::AccountId viewer, const base::Range& page
) {
    return db.all(list_following, of, viewer, page.above, page.below, page.limit, db.now());
}

const db::Query<ListedAccount> list_follow_requests{
    "list_follow_requests",
    R"(SELECT r.id AS cursor, r.account_id AS account FROM follow_requests r JOIN accounts a ON a.id = r.account_id
       WHERE r.target_id = $1 AND r.id > $2 AND r.id < $3 AND a.suspended_at IS NULL ORDER BY r.id DESC LIMIT $4)"
};

std::vector<ListedAccount> follow_requests(db::Read& db, base::AccountId to, const base::Range& page) {
    return db.all(list_follow_requests, to, page.above, page.below, page.limit);
}

bool network_visible(db::Read& db, const accounts::Account& account, base::AccountId viewer) {
    if (account.suspended_at) return false;
    if (account.id == viewer) return true;
    if (account.hide_collections.value_or(false)) return false;
    return !viewer || !standing(db, account.id, viewer).blocking;
}

}  // namespace relationships
