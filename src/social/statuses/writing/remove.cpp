// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/account.hpp"
#include "social/media/media.hpp"
#include "social/statuses/core/counting.hpp"
#include "social/statuses/core/held.hpp"
#include "social/statuses/interactions/pin.hpp"
#include "social/statuses/interactions/reply_approval.hpp"
#include "social/tags/featured_tag.hpp"

namespace statuses {

const db::Command mark_deleted{
    "mark_deleted",
    "UPDATE statuses SET deleted_at = $2, version = version + 1 WHERE id = $1 AND deleted_at IS NULL"
};

namespace {

void take_down(db::Write& db, const Status& status) {
    if (db.run(mark_deleted, status.id, db.now()) == 0) return;
    forget_pins(db, status.id);
    if (status.in_reply_to_id && stands_as_reply(db, status.id))
        count_reply(db, status.in_reply_to_id, status.visibility, -1);
    if (status.reblog_of_id) count_reblog(db, status.reblog_of_id, -1);
    if (counted(status.visibility)) accounts::count_status(db, status.account_id, -1, std::nullopt);
    if (!status.reblog_of_id) tags::uncount_status(db, status.account_id, status.id);
    db.emit(Deleted{status.id, status.account_id});
}

}  // namespace

const db::Query<Status> some_reblogs_of{
    "some_reblogs_of",
    R"(SELECT s.id, s.account_id, s.conversation_id, s.in_reply_to_id, s.in_reply_to_account_id, s.reblog_of_id,
              s.account_id AS reblog_account_id, s.visibility, s.language, s.text, s.spoiler_text
       FROM statuses s WHERE s.reblog_of_id = $1 AND s.deleted_at IS NULL ORDER BY s.id LIMIT $2)"
};

void remove(db::Write& db, AccountId me, StatusId id, bool with_media) {
    auto status = find_status(db, id);
    if (!status || status->account_id != me) throw base::NoSuchStatus();
    take_down(db, *status);
    forget_held(db, id);
    if (status->reblog_of_id) db.emit(Unreblogged{status->reblog_of_id, me, status->reblog_account_id});
    media::release(db, id, with_media);
    remove_reblogs(db, {id});
}

void remove_reblogs(db::Write& db, const ReblogsContinued& of) {
    constexpr int chunk = 200;
    auto reblogs = db.all(some_reblogs_of, of.original, chunk);
    for (const auto& reblog : reblogs) take_down(db, reblog);
    // A boost of a deleted status is never shown (visibility.cpp), so the rest can follow later.
    if (reblogs.size() == chunk) db.emit(of);
}

}  // namespace statuses
