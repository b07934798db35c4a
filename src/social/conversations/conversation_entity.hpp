// SPDX-License-Identifier: AGPL-3.0-or-later
// The Conversation entity.
#pragma once
#include "base/json.hpp"
#include "social/conversations/conversation.hpp"

namespace conversations {

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
