// SPDX-License-Identifier: AGPL-3.0-or-later
// Notifications of edits of a status and of the end of a poll.
#include "social/notifications/notify.hpp"
#include "social/statuses/writing/edit.hpp"

namespace notifications {

namespace {

constexpr int chunk = 200;

}  // namespace

void notify_edited(db::Write& db, const statuses::Edited& e) {
    for (auto account : e.mentioned) notify(db, {account, e.account, Type::mention, e.id});
    if (!e.says_the_same && !statuses::rebloggers(db, e.id, {}, 1).empty())
        db.emit(RebloggersContinued{e.id, e.account, {}, db.now()});
}

// The API has no type for this. `update` reports a changed post that concerns the recipient, and shows it:
// their own reply, which was detached, or the post whose favourite or boost was removed.
void notify_rejected(db::Write& db, const statuses::InteractionRejected& e) {
    notify(db, {e.account, e.author, Type::update, e.status});
}

const db::Query<bool> told_of_edit{
    "told_of_edit",
    R"(SELECT EXISTS (SELECT 1 FROM notifications WHERE account_id = $1 AND type = 'update' AND from_account_id = $2
                      AND status_id = $3 AND created_at >= $4))"
};

void notify_more_rebloggers(db::Write& db, const RebloggersContinued& left) {
    auto found = statuses::rebloggers(db, left.status, left.after, chunk);
    for (auto account : found)
        if (!db.one(told_of_edit, account, left.author, left.status, left.edited_at))
            notify(db, {account, left.author, Type::update, left.status});
    if (found.size() == chunk)
        db.emit(RebloggersContinued{left.status, left.author, found.back(), left.edited_at});
}

void notify_poll_ended(db::Write& db, const statuses::PollEnded& e) {
    notify(db, {e.author, e.author, Type::poll, e.poll});
    db.emit(VotersContinued{e.poll, e.author, {}});
}

void notify_more_voters(db::Write& db, const VotersContinued& left) {
    auto found = statuses::voters(db, left.poll, left.after, chunk);
    for (auto account : found) notify(db, {account, left.author, Type::poll, left.poll});
    if (found.size() == chunk) db.emit(VotersContinued{left.poll, left.author, found.back()});
}

}  // namespace notifications
