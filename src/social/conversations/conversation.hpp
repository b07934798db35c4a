// SPDX-License-Identifier: AGPL-3.0-or-later
// Conversations: an account's view of the direct statuses of a thread, one row for each set of participants.
// A direct status is added to its author's view when it is published, and to a recipient's when they are
// notified.
#pragma once
#include "base/json.hpp"
#include "base/page.hpp"
#include "social/notifications/notify.hpp"

namespace conversations {

using base::AccountId;
using base::StatusId;
using ViewId = base::Id<struct AccountConversationTag>;

struct Conversation {
    ViewId id;
    bool unread = false;
    std::string participants;  // ",1,2,": ids of the others
    StatusId last_status_id;

    std::vector<AccountId> others() const;
};
DESCRIBE(Conversation, id, unread, participants, last_status_id)

// Latest first; the range is over last statuses.
std::vector<Conversation> conversations(db::Read&, AccountId, const base::Range&);
Conversation conversation(db::Read&, AccountId, ViewId);  // throws NotFound
void mark(db::Write&, AccountId, ViewId, bool unread);    // throws NotFound
void remove(db::Write&, AccountId, ViewId);               // throws NotFound; the statuses stay

// Reactions
void keep_sent(db::Write&, const statuses::Published&);
void keep_received(db::Write&, const notifications::DirectReceived&);
void forget_status(db::Write&, const statuses::Deleted&);
void forget_blocked(db::Write&, const relationships::Blocked&);
void forget_muted(db::Write&, const relationships::Muted&);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_account_conversation_statuses;
extern const db::Command drop_own_account_conversations;

// The Conversation entity.
struct ConversationEntity {
    ViewId id;
    bool unread = false;
    base::json::Raw accounts;
    std::optional<base::json::Raw> last_status;
};
DESCRIBE(ConversationEntity, id, unread, accounts, last_status)

std::vector<ConversationEntity>
entities(db::Read&, const statuses::Audience& owner, const std::vector<Conversation>&);

}  // namespace conversations
