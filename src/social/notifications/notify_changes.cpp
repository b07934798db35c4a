// SPDX-License-Identifier: AGPL-3.0-or-later
// Who is told that a status was edited or its poll ended.
#include "social/notifications/notify.hpp"
#include "social/statuses/writing/edit.hpp"

namespace notifications {

namespace {

constexpr int chunk = 200;

}  // namespace

void tell_edited(db::Write& db, const statuses::Edited& e) {
    for (auto account : e.mentioned) tell(db, {account, e.account, Type::mention, e.id});
    if (!statuses::rebloggers(db, e.id, {}, 1).empty())
        db.emit(RebloggersLeft{e.id, e.account, {}, db.now()});
}

// The API has no type for this. This one says that a post has changed with which the recipient has to do, and shows it: one's
// own answer, which answers nothing any more, or the post whose favourite or boost is gone.
void tell_rejected(db::Write& db, const statuses::InteractionRejected& e) {
    tell(db, {e.account, e.author, Type::update, e.status});
}

const db::Query<bool> told_of_edit{
    "told_of_edit",
    R"(SELECT EXISTS (SELECT 1 FROM notifications WHERE account_id = $1 AND type = 'update' AND from_account_id = $2
                      AND status_id = $3 AND created_at >= $4))"
};

void tell_rebloggers_left(db::Write& db, const RebloggersLeft& left) {
    auto found = statuses::rebloggers(db, left.status, left.after, chunk);
    for (auto account : found)
        if (!db.one(told_of_edit, account, left.author, left.status, left.edited_at))
            tell(db, {account, left.author, Type::update, left.status});
    if (found.size() == chunk)
        db.emit(RebloggersLeft{left.status, left.author, found.back(), left.edited_at});
}

void tell_poll_ended(db::Write& db, const statuses::PollEnded& e) {
    tell(db, {e.author, e.author, Type::poll, e.poll});
    db.emit(VotersLeft{e.poll, e.author, {}});
}

void tell_voters_left(db::Write& db, const VotersLeft& left) {
    auto found = statuses::voters(db, left.poll, left.after, chunk);
    for (auto account : found) tell(db, {account, left.author, Type::poll, left.poll});
    if (found.size() == chunk) db.emit(VotersLeft{left.poll, left.author, found.back()});
}

}  // namespace notifications
