// SPDX-License-Identifier: AGPL-3.0-or-later
// Favourites, bookmarks, reblogs and their undoing. All of them refer to the original of a reblog.
#include "social/accounts/account.hpp"
#include "social/statuses/core/counting.hpp"
#include "social/statuses/core/limited.hpp"
#include "social/statuses/core/status.hpp"
#include "social/statuses/interactions/interaction_rules.hpp"
#include "social/statuses/interactions/status_lists.hpp"

namespace statuses {

namespace {

// The status, or the original of a reblog, if this account may read it.
Access target(db::Read& db, AccountId me, StatusId id) {
    auto access = access_to(db, me, id);
    if (!access || !access->sees) throw base::NoSuchStatus();
    return *access;
}

}  // namespace

const db::Command insert_favourite{
    "insert_favourite",
    R"(INSERT INTO favourites (id, account_id, status_id, uri) VALUES ($1, $2, $3, $4)
       ON CONFLICT (account_id, status_id) DO NOTHING)"
};
const db::Command count_favourite{
    "count_favourite",
    "UPDATE statuses SET favourites_count = favourites_count + $2, version = version + 1 WHERE id = $1"
};

void favourite(db::Write& db, AccountId me, StatusId id, std::string_view uri) {
    auto access = target(db, me, id);
    if (access.blocking) throw base::Forbidden();
    const auto& status = access.facts;
    std::optional<std::string_view> like;
    if (!uri.empty()) like = uri;
    auto favourite = db.new_id<base::FavouriteId>();
    if (db.run(insert_favourite, favourite, me, status.id, like) == 0) return;
    db.run_last(count_favourite, status.id, 1);
    db.emit(Favourited{status.id, me, status.account_id, favourite});
}

const db::Query<base::FavouriteId> favourite_between{
    "favourite_between",
    "SELECT id FROM favourites WHERE account_id = $1 AND status_id = $2",
    "SELECT id FROM favourites WHERE account_id = $1 AND status_id = $2 FOR UPDATE"
};
const db::Command end_favourite{"end_favourite", "DELETE FROM favourites WHERE id = $1"};

void unfavourite(db::Write& db, AccountId me, StatusId id) {
    auto status = find_status(db, id);
    if (!status) throw base::NoSuchStatus();
    auto original = original_of(*status);
    auto author = status->reblog_of_id ? status->reblog_account_id : status->account_id;
    auto ended = db.maybe(favourite_between, me, original);
    if (!ended) {
        target(db, me, id);  // a hidden status that the account has not favourited must stay hidden
        return;
    }
    // Before the row is deleted: it records how the favourite was delivered.
    db.emit(Unfavourited{original, me, author, *ended});
    db.run(end_favourite, *ended);
    db.run_last(count_favourite, original, -1);
}

const db::Query<bool> favourite_exists{
    "favourite_exists", "SELECT EXISTS (SELECT 1 FROM favourites WHERE account_id = $1 AND status_id = $2)"
};

bool has_favourited(db::Read& db, AccountId account, StatusId original) {
    return db.one(favourite_exists, account, original);
}

const db::Query<StatusId> favourite_by_uri{
    "favourite_by_uri", "SELECT status_id FROM favourites WHERE uri = $2 AND account_id = $1"
};

std::optional<StatusId> favourited_by_uri(db::Read& db, AccountId account, std::string_view uri) {
    if (uri.empty()) return std::nullopt;
    return db.maybe(favourite_by_uri, account, uri);
}

const db::Command insert_bookmark{
    "insert_bookmark",
    R"(INSERT INTO bookmarks (id, account_id, status_id) VALUES ($1, $2, $3)
       ON CONFLICT (account_id, status_id) DO NOTHING)"
};

const db::Command mark_touched{
    "mark_touched", "UPDATE remote_statuses SET touched = TRUE WHERE status_id = $1 AND touched = FALSE"
};

void note_touched(db::Write& db, StatusId id) { db.run(mark_touched, id); }

void bookmark(db::Write& db, AccountId me, StatusId id) {
    const auto original = target(db, me, id).facts.id;
    db.run(insert_bookmark, db.new_id<base::BookmarkId>(), me, original);
    note_touched(db, original);
}

const db::Command delete_bookmark{
    "delete_bookmark", "DELETE FROM bookmarks WHERE account_id = $1 AND status_id = $2"
};

void unbookmark(db::Write& db, AccountId me, StatusId id) {
    auto status = find_status(db, id);
    if (!status) throw base::NoSuchStatus();
    if (db.run(delete_bookmark, me, original_of(*status)) == 0) target(db, me, id);
}

const db::Command insert_reblog{
    "insert_reblog",
    R"(INSERT INTO statuses (id, account_id, conversation_id, reblog_of_id, visibility, created_at, language, sensitive,
           local_only)
       SELECT $1, $2, conversation_id, id, $4, $5, language, sensitive, local_only FROM statuses WHERE id = $3)"
};

Creation reblog(db::Write& db, AccountId me, StatusId id, std::optional<Visibility> wanted) {
    if (wanted && !counted(*wanted))
        throw base::Invalid("Validation failed: Visibility is not included in the list");
    auto access = target(db, me, id);
    if (!may_boost(access)) throw base::Forbidden();
    const auto& status = access.facts;
    if (auto existing = reblog_by(db, me, status.id)) return {*existing, false};
    auto visibility = status.visibility == Visibility::private_ ? Visibility::private_
                                                                : wanted.value_or(Visibility::public_);
    if (visibility == Visibility::public_) visibility = allowed(accounts::account(db, me), visibility);
    auto boost = db.new_id<StatusId>();
    db.run(insert_reblog, boost, me, status.id, visibility, db.now());
    count_reblog(db, status.id, 1);
    accounts::count_status(db, me, 1, db.now());
    db.emit(Published{boost, me});
    db.emit(Reblogged{boost, status.id, me, status.account_id});
    return {boost, true};
}

void unreblog(db::Write& db, AccountId me, StatusId id) {
    auto status = find_status(db, id);
    if (!status) throw base::NoSuchStatus();
    if (auto boost = reblog_by(db, me, original_of(*status))) remove(db, me, *boost, false);
    else target(db, me, id);
}

const db::Command drop_own_bookmarks{
    "drop_own_bookmarks",
    R"(DELETE FROM bookmarks WHERE account_id = $1 AND id IN (
           SELECT id FROM bookmarks WHERE account_id = $1 ORDER BY id LIMIT $2))"
};

}  // namespace statuses
