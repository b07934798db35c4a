// SPDX-License-Identifier: AGPL-3.0-or-later
// Who may answer a status, and what the author of a status does with answers to it (GoToSocial's canReply, FEP-044f). An
// answer that waits for its approval, or is hidden, stands in the thread for its author and for the author of what it
// answers alone; elsewhere it is a status as any other. A refused one is no answer any more.
#pragma once
#include "base/page.hpp"
#include "social/statuses/interactions/approval.hpp"
#include "social/statuses/interactions/interaction_rules.hpp"

namespace statuses {

// Whether an answer stands approved. `revoked`: it did, and was hidden.
BOOST_DEFINE_ENUM_CLASS(ReplyApprovalState, pending, approved, refused, revoked)

// Of one of another server: `stored` as approval.hpp has it, 0 for everybody.
ApprovalPolicy reply_approval(ReplyPolicy, std::int64_t stored);
// The word that comes nearest to what another server says.
ReplyPolicy reply_policy_word(std::int64_t stored);

// What the author's policy says of an answer by this account. Whoever is mentioned or answered by the status may always.
Approval reply_approval_for(db::Read&, const Access& to);
// The same, for an answer that is to be written here: throws Invalid where it is denied.
Approval approval_to_reply(db::Read&, const Access& to);
ReplyState state_of(Approval);

// A new answer. `request`: the id of the activity by which another server asked, or empty.
struct Reply {
    StatusId id;
    Visibility visibility = Visibility::public_;
    std::string request;
};
// Counts it, or keeps that it waits. A denied one is no answer: who asked is told.
void add_reply(db::Write&, const Reply&, const Access& to, Approval);
// Its server asks about an answer that was here before.
void answer_reply_again(db::Write&, StatusId reply, const std::string& request);

// Events. `author` wrote what is answered, `account` the answer.
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
// The author on another server has approved an answer written here.
struct ReplyAuthorized {
    StatusId reply;
};
DESCRIBE(ReplyAuthorized, reply)

// By the author of what is answered. Throw NotFound (no such answer to it) and Forbidden (not the author).
struct AnswerTo {
    StatusId parent, reply;
};
void approve_reply(db::Write&, AccountId me, const AnswerTo&);
void refuse_reply(db::Write&, AccountId me, const AnswerTo&);
void hide_reply(db::Write&, AccountId me, const AnswerTo&);
void unhide_reply(db::Write&, AccountId me, const AnswerTo&);

bool stands_as_reply(db::Read&, StatusId reply);  // neither waits nor is hidden
// An answer stays with who wrote it, out of the thread.
void detach_reply(db::Write&, StatusId reply);

// Answers that wait for this author, newest first.
std::vector<StatusId> pending_replies(db::Read&, AccountId author, const base::Range&);

// Own statuses only, else Forbidden. Answers that are there stay as they are.
void set_reply_policy(db::Write&, AccountId me, StatusId, ReplyPolicy);

// An answer with what decides who may approve or revoke it.
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
// By the authorization of an author on another server.
std::optional<StoredReplyApproval> reply_approval_by_uri(
    db::Read&, AccountId author, std::string_view authorization_uri
);

// The author on another server has approved; what they said of it was verified by the caller. False: nothing waited.
bool authorize_reply(db::Write&, StatusId reply, const std::string& authorization_uri);

// They have taken their approval back: it waits anew, as they may approve once more.
void revoke_reply(db::Write&, StatusId reply);

// Reaction: a deleted status answers nothing.
void forget_reply_approval(db::Write&, const Deleted&);

// What goes with an account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_reply_approvals;

}  // namespace statuses
