// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/interactions/rejection.hpp"

#include "social/accounts/account.hpp"
#include "social/statuses/interactions/reply_approval.hpp"

namespace statuses {

struct RejectedFavourite {
    AccountId account;
    StatusId status;
};
DESCRIBE(RejectedFavourite, account, status)

const db::Query<RejectedFavourite> favourite_of_post_by{
    "favourite_of_post_by",
    R"(SELECT f.account_id AS account, f.status_id AS status
       FROM favourites f JOIN statuses s ON s.id = f.status_id JOIN accounts a ON a.id = f.account_id
       WHERE f.id = $1 AND s.account_id = $2 AND a.domain = '')"
};

const db::Query<base::FavouriteId> local_favourite_by_uri{
    "local_favourite_by_uri",
    R"(SELECT f.id FROM favourites f JOIN accounts a ON a.id = f.account_id
       WHERE f.uri = $1 AND f.uri IS NOT NULL AND a.domain = '')"
};

std::optional<base::FavouriteId> favourite_named(db::Read& db, std::string_view uri) {
    if (uri.empty()) return std::nullopt;
    return db.maybe(local_favourite_by_uri, uri);
}

bool reject_favourite(db::Write& db, AccountId author, base::FavouriteId id) {
    auto found = db.maybe(favourite_of_post_by, id, author);
    if (!found) return false;
    unfavourite(db, found->account, found->status);
    db.emit(InteractionRejected{found->account, author, found->status});
    return true;
}

namespace {

std::optional<Status> local_status(db::Read& db, StatusId id) {
    auto status = find_status(db, id);
    if (!status || !accounts::account(db, status->account_id).local()) return std::nullopt;
    return status;
}

}  // namespace

bool reject_boost(db::Write& db, AccountId author, StatusId id) {
    auto boost = local_status(db, id);
    if (!boost || !boost->reblog_of_id || boost->reblog_account_id != author) return false;
    remove(db, boost->account_id, id, false);
    db.emit(InteractionRejected{boost->account_id, author, boost->reblog_of_id});
    return true;
}

bool reject_reply(db::Write& db, AccountId author, StatusId id) {
    auto reply = local_status(db, id);
    if (!reply || !reply->in_reply_to_id) return false;
    auto parent = find_status(db, reply->in_reply_to_id);
    if (!parent || parent->account_id != author || author == reply->account_id) return false;
    detach_reply(db, id);
    db.emit(InteractionRejected{reply->account_id, author, id});
    return true;
}

}  // namespace statuses
