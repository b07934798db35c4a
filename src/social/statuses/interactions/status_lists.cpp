// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/interactions/status_lists.hpp"

#include <algorithm>

namespace statuses {

// $2: the viewer; $6: the present time.
const db::Query<ListedAccount> list_favourited_by{
    "list_favourited_by",
    "SELECT f.id AS cursor, f.account_id AS account, a.version FROM favourites f "
    "JOIN accounts a ON a.id = f.account_id "
    "WHERE f.status_id = $1 AND f.id > $3 AND f.id < $4 AND a.suspended_at IS NULL "
    "AND " NOT_HIDDEN_FROM("$2", "$6", "f.account_id") "ORDER BY f.id DESC LIMIT $5"
};

std::vector<ListedAccount> favourited_by(
    db::Read& db, StatusId id, AccountId viewer, const base::Range& page
) {
    return db.all(list_favourited_by, id, viewer, page.above, page.below, page.limit, db.now());
}

const db::Query<ListedAccount> list_reblogged_by{
    "list_reblogged_by",
    "SELECT s.id AS cursor, s.account_id AS account, a.version FROM statuses s "
    "JOIN accounts a ON a.id = s.account_id "
    "WHERE s.reblog_of_id = $1 AND s.id > $3 AND s.id < $4 AND s.deleted_at IS NULL "
    "AND s.visibility IN ('public', 'unlisted') AND a.suspended_at IS NULL "
    "AND " NOT_HIDDEN_FROM("$2", "$6", "s.account_id") "ORDER BY s.id DESC LIMIT $5"
};

std::vector<ListedAccount> reblogged_by(
    db::Read& db, StatusId id, AccountId viewer, const base::Range& page
) {
    return db.all(list_reblogged_by, id, viewer, page.above, page.below, page.limit, db.now());
}

const db::Query<ListedStatus> list_favourites{
    "list_favourites",
    R"(SELECT f.id AS cursor, f.status_id AS status FROM favourites f JOIN statuses s ON s.id = f.status_id
       WHERE f.account_id = $1 AND f.id > $2 AND f.id < $3 AND s.deleted_at IS NULL ORDER BY f.id DESC LIMIT $4)"
};
const db::Query<ListedStatus> list_favourites_up{
    "list_favourites_up",
    R"(SELECT f.id AS cursor, f.status_id AS status FROM favourites f JOIN statuses s ON s.id = f.status_id
       WHERE f.account_id = $1 AND f.id > $2 AND f.id < $3 AND s.deleted_at IS NULL ORDER BY f.id LIMIT $4)"
};
const db::Query<ListedStatus> list_bookmarks{
    "list_bookmarks",
    R"(SELECT k.id AS cursor, k.status_id AS status FROM bookmarks k JOIN statuses s ON s.id = k.status_id
       WHERE k.account_id = $1 AND k.id > $2 AND k.id < $3 AND s.deleted_at IS NULL ORDER BY k.id DESC LIMIT $4)"
};
const db::Query<ListedStatus> list_bookmarks_up{
    "list_bookmarks_up",
    R"(SELECT k.id AS cursor, k.status_id AS status FROM bookmarks k JOIN statuses s ON s.id = k.status_id
       WHERE k.account_id = $1 AND k.id > $2 AND k.id < $3 AND s.deleted_at IS NULL ORDER BY k.id LIMIT $4)"
};

namespace {

std::vector<ListedStatus> page_of(
    db::Read& db, const db::Query<ListedStatus>& down, const db::Query<ListedStatus>& up, AccountId me,
    const base::Range& page
) {
    auto rows = db.all(page.ascending ? up : down, me, page.above, page.below, page.limit);
    if (page.ascending) std::ranges::reverse(rows);
    return rows;
}

}  // namespace

std::vector<ListedStatus> favourites(db::Read& db, AccountId me, const base::Range& page) {
    return page_of(db, list_favourites, list_favourites_up, me, page);
}

std::vector<ListedStatus> bookmarks(db::Read& db, AccountId me, const base::Range& page) {
    return page_of(db, list_bookmarks, list_bookmarks_up, me, page);
}

}  // namespace statuses
