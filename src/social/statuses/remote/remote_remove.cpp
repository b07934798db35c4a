// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/lock.hpp"
#include "social/statuses/core/held.hpp"
#include "social/statuses/remote/remote.hpp"

namespace statuses {

const db::Command put_tombstone{
    "put_tombstone",
    R"(INSERT INTO tombstones (uri, account_id, created_at) VALUES ($1, $2, $3) ON CONFLICT (uri, account_id) DO NOTHING)"
};
const db::Query<StatusId> own_by_uri{
    "own_by_uri",
    "SELECT id FROM statuses WHERE uri = $1 AND uri IS NOT NULL AND account_id = $2 AND deleted_at IS NULL"
};
const db::Query<bool> any_by_uri{
    "any_by_uri", "SELECT EXISTS (SELECT 1 FROM statuses WHERE uri = $1 AND uri IS NOT NULL)"
};

void remove_remote(db::Write& db, AccountId author, std::string_view uri) {
    if (uri.empty() || uri.size() > accounts::longest_uri) return;
    db.lock({db::alone(address_lock, uri)});  // another request may be about to store it
    forget_held(db, author, uri);
    if (auto id = db.maybe(own_by_uri, uri, author)) return remove(db, author, *id, true);
    if (!db.one(any_by_uri, uri)) db.run(put_tombstone, uri, author, db.now());
}

void remove_vanished(db::Write& db, StatusId id) {
    auto status = find_status(db, id);
    if (status && open(status->visibility) && !accounts::account(db, status->account_id).local())
        remove(db, status->account_id, id, true);
}

const db::Query<bool> is_ended_openly{
    "is_ended_openly",
    R"(SELECT EXISTS (SELECT 1 FROM statuses WHERE id = $1 AND account_id = $2 AND deleted_at IS NOT NULL
           AND local = TRUE AND local_only = FALSE AND visibility IN )" OPEN_VISIBILITIES ")"
};

bool ended_openly(db::Read& db, StatusId id, AccountId author) { return db.one(is_ended_openly, id, author); }

const db::Command delete_old_tombstones{
    "delete_old_tombstones", "DELETE FROM tombstones WHERE created_at < $1"
};

void purge_tombstones(db::Write& db) {
    constexpr std::int64_t remembered = 6 * 3600;
    db.run(delete_old_tombstones, db.now().plus_seconds(-remembered));
}

const db::Query<StatusId> some_statuses_of{
    "some_statuses_of",
    "SELECT id FROM statuses WHERE account_id = $1 AND deleted_at IS NULL ORDER BY id LIMIT $2"
};
const db::Query<StatusId> delete_favourites_of{
    "delete_favourites_of",
    R"(DELETE FROM favourites WHERE id IN (SELECT id FROM favourites WHERE account_id = $1 ORDER BY id LIMIT $2)
       RETURNING status_id)"
};
const db::Command uncount_favourite{
    "uncount_favourite",
    R"(UPDATE statuses SET version = version + 1,
           favourites_count = CASE WHEN favourites_count > 0 THEN favourites_count - 1 ELSE 0 END WHERE id = $1)"
};

void remove_some_of(db::Write& db, const RemoteStatusesContinued& left) {
    constexpr int chunk = 100;
    auto statuses = db.all(some_statuses_of, left.account, chunk);
    for (auto id : statuses) remove(db, left.account, id, true);
    auto liked = db.all(delete_favourites_of, left.account, chunk);
    for (auto id : liked) {
        db.run(uncount_favourite, id);
        if (auto status = find_status(db, id)) db.emit(Unfavourited{id, left.account, status->account_id});
    }
    if (statuses.size() == chunk || liked.size() == chunk) db.emit(left);
    else db.emit(DeletedWordsContinued{left.account, {}});
}

const db::Query<StatusId> deleted_statuses_of{
    "deleted_statuses_of",
    R"(SELECT id FROM statuses WHERE account_id = $1 AND deleted_at IS NOT NULL AND id > $2 ORDER BY id LIMIT $3)"
};
// Their ids still get responses.
const db::Command empty_statuses{
    "empty_statuses", R"(UPDATE statuses SET text = '', content = '', spoiler_text = '' WHERE id IN LIST($1))"
};
const db::Command empty_poll_options{
    "empty_poll_options", "UPDATE poll_options SET title = '' WHERE status_id IN LIST($1)"
};
const db::Command delete_edits_of{"delete_edits_of", "DELETE FROM status_edits WHERE status_id IN LIST($1)"};

void empty_deleted(db::Write& db, const DeletedWordsContinued& left) {
    constexpr int chunk = 200;
    auto statuses = db.all(deleted_statuses_of, left.account, left.after, chunk);
    if (statuses.empty()) return;
    db.run(empty_statuses, statuses);
    db.run(empty_poll_options, statuses);
    db.run(delete_edits_of, statuses);
    if (statuses.size() == chunk) db.emit(DeletedWordsContinued{left.account, statuses.back()});
}

void remove_all_of(db::Write& db, const accounts::AccountGone& gone) {
    db.emit(RemoteStatusesContinued{gone.account});
}

}  // namespace statuses
