// SPDX-License-Identifier: AGPL-3.0-or-later
// Who may reply to a status, and how its author handles replies (GoToSocial's canReply, FEP-044f). A reply
// that awaits approval, or is hidden, appears in the thread only to its author and to the author of its
// parent; elsewhere it is an ordinary status. A refused reply is detached from its parent.
#pragma once
#include "base/page.hpp"
#include "social/statuses/interactions/approval.hpp"
#include "social/statuses/interactions/interaction_rules.hpp"

namespace statuses {

// The approval of a reply. `revoked`: it was approved, then hidden.
BOOST_DEFINE_ENUM_CLASS(ReplyApprovalState, pending, approved, refused, revoked)

// Policy of a remote status: `stored` as in approval.hpp, 0 for everybody.
ApprovalPolicy reply_approval(ReplyPolicy, std::int64_t stored);
// The policy word that comes closest to the stored policy of a remote status.
ReplyPolicy reply_policy_word(std::int64_t stored);

// What the author's policy says about a reply by this account. Accounts that the status mentions or replies
// to may always reply.
Approval reply_approval_for(db::Read&, const Access& to);
// The same for a reply that is to be written here; throws Invalid if it is denied.
Approval approval_to_reply(db::Read&, const Access& to);
ReplyState state_of(Approval);

// A new reply. `request`: the id of the activity by which another server asked, or empty.
struct Reply {
    StatusId id;
    Visibility visibility = Visibility::public_;
    std::string request;
};
// Counts it, or records that it is pending. A denied one is detached, and its server is notified.
void add_reply(db::Write&, const Reply&, const Access& to, Approval);
// Its server asks for approval of a reply that was already stored.
void answer_reply_again(db::Write&, StatusId reply, const std::string& request);

// Events. `author` wrote the parent, `account` the reply.
struct ReplyApproved {
    StatusId reply, parent;
    AccountId account, author;
};
DESCRIBE(ReplyApproved, reply, parent, account, author)
struct ReplyRevoked {
    StatusId reply, parent;
    AccountId account, author;
};
DESCRIBE(ReplyRevoked, reply, parent, account, author)
struct ReplyRefused {
    StatusId reply, parent;
    AccountId account, author;
    std::string request;
};
DESCRIBE(ReplyRefused, reply, parent, account, author, request)
// The remote author has approved a reply that was written here.
struct ReplyAuthorized {
    StatusId reply;
};
DESCRIBE(ReplyAuthorized, reply)

// By the author of the parent. They throw NotFound (no such reply to it) and Forbidden (not the author).
struct AnswerTo {
    StatusId parent, reply;
};
void approve_reply(db::Write&, AccountId me, const AnswerTo&);
void refuse_reply(db::Write&, AccountId me, const AnswerTo&);
void hide_reply(db::Write&, AccountId me, const AnswerTo&);
void unhide_reply(db::Write&, AccountId me, const AnswerTo&);

bool stands_as_reply(db::Read&, StatusId reply);  // neither pending nor hidden
// The reply remains its author's post, but leaves the thread.
void detach_reply(db::Write&, StatusId reply);

// Replies that await this author's approval, newest first.
std::vector<StatusId> pending_replies(db::Read&, AccountId author, const base::Range&);

// Own statuses only, else Forbidden. Existing replies are not affected.
void set_reply_policy(db::Write&, AccountId me, StatusId, ReplyPolicy);

// A reply with what decides who may approve or revoke it.
struct StoredReplyApproval {
    StatusId reply, parent;
    AccountId account, author;
    ReplyApprovalState state = ReplyApprovalState::pending;
    std::string authorization_uri, request;
    bool account_local = false, author_local = false;
};
DESCRIBE(
    StoredReplyApproval, reply, parent, account, author, state, authorization_uri, request, account_local,
    author_local
)
std::optional<StoredReplyApproval> reply_approval_of(db::Read&, StatusId reply);
// By the authorization of a remote author.
std::optional<StoredReplyApproval> reply_approval_by_uri(
    db::Read&, AccountId author, std::string_view authorization_uri
);

// The remote author has approved; the caller has verified it. Returns false if no reply was pending.
bool authorize_reply(db::Write&, StatusId reply, const std::string& authorization_uri);

// They have revoked their approval: the reply is pending again, because they may approve it later.
void revoke_reply(db::Write&, StatusId reply);

// Reaction: a deleted status is no longer a reply.
void forget_reply_approval(db::Write&, const Deleted&);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_reply_approvals;

}  // namespace statuses
