// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/interactions/status_lists.hpp"

#include "social/statuses/core/visibility.hpp"

namespace statuses {

const db::Command insert_conversation_mute{
    "insert_conversation_mute",
    R"(INSERT INTO conversation_mutes (account_id, conversation_id) VALUES ($1, $2)
       ON CONFLICT (account_id, conversation_id) DO NOTHING)"
};

void mute_conversation(db::Write& db, AccountId me, StatusId id) {
    db.run(insert_conversation_mute, me, visible_facts(db, audience(db, me), id).conversation_id);
}

const db::Command delete_conversation_mute{
    "delete_conversation_mute",
    "DELETE FROM conversation_mutes WHERE account_id = $1 AND conversation_id = $2"
};

void unmute_conversation(db::Write& db, AccountId me, StatusId id) {
    db.run(delete_conversation_mute, me, visible_facts(db, audience(db, me), id).conversation_id);
}

const db::Command drop_own_conversation_mutes{
    "drop_own_conversation_mutes",
    R"(DELETE FROM conversation_mutes WHERE account_id = $1 AND conversation_id IN (
           SELECT conversation_id FROM conversation_mutes WHERE account_id = $1 ORDER BY conversation_id LIMIT $2))"
};

}  // namespace statuses
