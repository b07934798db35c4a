// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/remote/remote.hpp"

namespace statuses {

namespace {

// `first`: the limit for each of up to fifty replies that move in one change; `chunk`: the limit of a job for
// one reply.
constexpr int first = 4, chunk = 200;

}  // namespace

// $1 and its descendants, up to the usual depth of a thread.
#define DOWN_FROM                                                  \
    "WITH RECURSIVE down(id, depth) AS ("                          \
    "SELECT CAST($1 AS BIGINT), 0 UNION "                          \
    "SELECT s.id, down.depth + 1 FROM down CROSS JOIN statuses s " \
    "WHERE s.in_reply_to_id = down.id AND s.deleted_at IS NULL AND down.depth < 1000) "

const db::Command move_beginning_of_thread{
    "move_beginning_of_thread",
    DOWN_FROM "UPDATE statuses SET conversation_id = $2 WHERE id IN (SELECT id FROM down LIMIT $3)"
};
const db::Query<StatusId> not_moved_yet{
    "not_moved_yet",
    DOWN_FROM
    "SELECT d.id FROM (SELECT id FROM down LIMIT 5000) d "
    "WHERE (SELECT s.conversation_id FROM statuses s WHERE s.id = d.id) <> $2 LIMIT $3"
};
const db::Query<ConversationId> conversation_of_answer{
    "conversation_of_answer", "SELECT conversation_id FROM statuses WHERE id = $1"
};
const db::Command move_into_conversation{
    "move_into_conversation", "UPDATE statuses SET conversation_id = $2 WHERE id IN LIST($1)"
};

// Accounts that are involved and muted the one conversation mute the other, too.
const db::Command take_mutes_along{
    "take_mutes_along",
    R"(INSERT INTO conversation_mutes (account_id, conversation_id)
       SELECT m.account_id, $2 FROM statuses s JOIN mentions n ON n.status_id = s.id
       JOIN conversation_mutes m ON m.account_id = n.account_id AND m.conversation_id = s.conversation_id
       WHERE s.id = $1 ON CONFLICT (account_id, conversation_id) DO NOTHING)"
};

void move_thread(db::Write& db, StatusId answer, ConversationId conversation) {
    db.run(take_mutes_along, answer, conversation);
    if (db.run(move_beginning_of_thread, answer, conversation, first) == first)
        db.emit(ThreadMovingContinued{answer});
}

// The rest moves to the reply's present conversation, which may have changed since.
jobs::Change continue_moving_thread(db::Read& db, const ThreadMovingContinued& left) {
    auto conversation = db.maybe(conversation_of_answer, left.answer);
    if (!conversation) return {};
    auto some = db.all(not_moved_yet, left.answer, *conversation, chunk);
    if (some.empty()) return {};
    return [left, some = std::move(some), conversation = *conversation](db::Write& write) {
        if (write.maybe(conversation_of_answer, left.answer) != conversation) return write.emit(left);
        write.run(move_into_conversation, some, conversation);
        if (some.size() == chunk) write.emit(left);
    };
}

}  // namespace statuses
