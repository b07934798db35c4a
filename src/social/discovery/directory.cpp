// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/discovery/search.hpp"

namespace discovery {

// $1: the viewer; $2: the present time. The tables accounts and users belong to accounts, user_domain_blocks
// to relationships.
#define LISTED_ACCOUNTS                                                                            \
    "SELECT a.id AS cursor, a.id AS account, a.version FROM accounts a "                           \
    "WHERE a.discoverable = TRUE AND a.suspended_at IS NULL AND a.silenced_at IS NULL "            \
    "AND a.moved_to_id IS NULL "                                                                   \
    "AND NOT EXISTS (SELECT 1 FROM users u WHERE u.account_id = a.id "                             \
    "AND (u.confirmed_at IS NULL OR u.approved = FALSE)) "                                         \
    "AND (CAST($1 AS BIGINT) = 0 OR (" NOT_HIDDEN_FROM(                                            \
        "$1", "$2", "a.id"                                                                         \
    ) "AND NOT EXISTS (SELECT 1 FROM user_domain_blocks d WHERE d.account_id = $1 AND d.domain = " \
      "a.domain))) "

const db::Query<accounts::ListedAccount> directory_by_activity{
    "directory_by_activity",
    LISTED_ACCOUNTS "ORDER BY COALESCE(a.last_status_at, 0) DESC, a.id DESC LIMIT $3 OFFSET $4"
};
const db::Query<accounts::ListedAccount> directory_by_age{
    "directory_by_age", LISTED_ACCOUNTS "ORDER BY a.id DESC LIMIT $3 OFFSET $4"
};
// The same for local accounts only, by partial indexes: they may be a small share of all accounts.
const db::Query<accounts::ListedAccount> directory_here_by_activity{
    "directory_here_by_activity",
    LISTED_ACCOUNTS
    "AND a.domain = '' ORDER BY COALESCE(a.last_status_at, 0) DESC, a.id DESC LIMIT $3 OFFSET $4"
};
const db::Query<accounts::ListedAccount> directory_here_by_age{
    "directory_here_by_age", LISTED_ACCOUNTS "AND a.domain = '' ORDER BY a.id DESC LIMIT $3 OFFSET $4"
};

std::vector<accounts::ListedAccount> directory(
    db::Read& db, base::AccountId viewer, const Directory& wanted
) {
    const auto& by_activity = wanted.local ? directory_here_by_activity : directory_by_activity;
    const auto& by_age = wanted.local ? directory_here_by_age : directory_by_age;
    const auto& sql = wanted.order == Order::active ? by_activity : by_age;
    return db.all(sql, viewer, db.now(), wanted.limit, wanted.offset);
}

}  // namespace discovery
