// SPDX-License-Identifier: AGPL-3.0-or-later
// What an account may do with a status. The rules are the same for local and remote accounts; the caller
// decides how to report a refusal.
#pragma once
#include "social/statuses/core/visibility.hpp"

namespace statuses {

// How an account relates to a status. For a reblog, `facts` are those of the original.
struct Access {
    AccountId account;
    VisibilityFacts facts;
    bool through_reblog = false;
    bool remote = false;    // the account is remote
    bool sees = false;      // it may read the status
    bool blocked = false;   // the author blocks it or its server
    bool blocking = false;  // it blocks the author
};
std::optional<Access> access_to(db::Read&, AccountId, StatusId);  // nullopt: no such status

bool written_here(db::Read&, StatusId);

// A reblog cannot be replied to, only its original.
bool may_reply(const Access&);
bool may_boost(const Access&);
// a status can be boosted only once per account
std::optional<StatusId> reblog_by(db::Read&, AccountId, StatusId original);
// As far as visibility and blocks are concerned; the author's policy also decides (quote.hpp).
bool may_quote(const Access&);

// The position of a status in its thread.
struct Place {
    ConversationId conversation;  // 0: a conversation of its own (start_conversation)
    StatusId in_reply_to;
    AccountId in_reply_to_account;
};
Place place(const VisibilityFacts& parent, AccountId author);
ConversationId start_conversation(db::Write&, StatusId first, AccountId author);

// Whether a reply from another server is attached to its parent. `unattached`: it is kept, but not as a
// reply, because its author cannot know the parent. Only a remote server knows who follows its accounts, so
// it is trusted about that.
enum class Attachment { attached, unattached, refused };
Attachment attachment(db::Read&, const Access&);

}  // namespace statuses
