// SPDX-License-Identifier: AGPL-3.0-or-later
// What an account may do with somebody's status. The rules are the same for accounts of this server and of others; what
// a refusal looks like is up to the caller.
#pragma once
#include "social/statuses/core/visibility.hpp"

namespace statuses {

// How an account stands to a status. Of a reblog, `facts` are those of the original.
struct Access {
    AccountId account;
    VisibilityFacts facts;
    bool through_reblog = false;
    bool remote = false;    // the account is of another server
    bool sees = false;      // it may read the status
    bool blocked = false;   // the author blocks it, or its server
    bool blocking = false;  // it blocks the author
};
std::optional<Access> access_to(db::Read&, AccountId, StatusId);  // nothing: there is no such status

bool written_here(db::Read&, StatusId);

// Nobody answers a reblog: its original is what can be answered.
bool may_reply(const Access&);
bool may_boost(const Access&);
std::optional<StatusId> reblog_by(db::Read&, AccountId, StatusId original);  // nobody boosts a status twice
// As far as visibility and blocks go; besides, the author's policy decides (quote.hpp).
bool may_quote(const Access&);

// Where a status stands in its thread.
struct Place {
    ConversationId conversation;  // 0: its own (start_conversation)
    StatusId in_reply_to;
    AccountId in_reply_to_account;
};
Place place(const VisibilityFacts& parent, AccountId author);
ConversationId start_conversation(db::Write&, StatusId first, AccountId author);

// Whether what another server says is a reply is tied to its parent. `unattached`: it is kept, but not as a reply, as its
// author cannot know the parent. Who follows the people of another server only that server knows, so its word counts.
enum class Attachment { attached, unattached, refused };
Attachment attachment(db::Read&, const Access&);

}  // namespace statuses
