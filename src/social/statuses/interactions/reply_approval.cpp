// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/interactions/reply_approval.hpp"

#include "social/statuses/core/counting.hpp"

namespace statuses {

ApprovalPolicy reply_approval(ReplyPolicy policy, std::int64_t stored) {
    constexpr auto everybody = ApprovalPolicy::public_;
    if (stored != 0) return read_stored(stored);
    switch (policy) {
        case ReplyPolicy::public_: return {true, everybody, 0};
        case ReplyPolicy::followers: return {true, ApprovalPolicy::followers, everybody};
        case ReplyPolicy::following: return {true, ApprovalPolicy::following, everybody};
        case ReplyPolicy::mentioned: return {true, 0, everybody};
        case ReplyPolicy::nobody: break;
    }
    return {true, 0, 0};
}

ReplyPolicy reply_policy_word(std::int64_t stored) {
    auto policy = reply_approval(ReplyPolicy::public_, stored);
    if ((policy.automatic & ApprovalPolicy::public_) != 0) return ReplyPolicy::public_;
    if ((policy.automatic & ApprovalPolicy::followers) != 0) return ReplyPolicy::followers;
    if ((policy.automatic & ApprovalPolicy::following) != 0) return ReplyPolicy::following;
    return policy.manual != 0 || policy.automatic != 0 ? ReplyPolicy::mentioned : ReplyPolicy::nobody;
}

namespace {

struct Terms {
    ReplyPolicy policy = ReplyPolicy::public_;
    std::int64_t approval = 0;
    bool followed = false, following = false, mentioned = false, answered = false;
};
DESCRIBE(Terms, policy, approval, followed, following, mentioned, answered)

}  // namespace

// The table follows belongs to relationships.
const db::Query<Terms> reply_terms{
    "reply_terms",
    R"(SELECT s.reply_policy AS policy, s.reply_approval AS approval,
              EXISTS (SELECT 1 FROM follows f WHERE f.account_id = s.account_id AND f.target_id = $2) AS followed,
              EXISTS (SELECT 1 FROM follows f WHERE f.account_id = $2 AND f.target_id = s.account_id) AS following,
              EXISTS (SELECT 1 FROM mentions m WHERE m.status_id = s.id AND m.account_id = $2 AND m.silent = FALSE) AS mentioned,
              COALESCE(s.in_reply_to_account_id = $2, FALSE) AS answered
       FROM statuses s WHERE s.id = $1)"
};

Approval reply_approval_for(db::Read& db, const Access& to) {
    if (to.facts.open_to_replies || to.facts.account_id == to.account) return Approval::automatic;
    auto terms = db.one(reply_terms, to.facts.id, to.account);
    if (terms.mentioned || terms.answered) return Approval::automatic;
    return approval_for(
        reply_approval(terms.policy, terms.approval), {false, terms.following, terms.followed}
    );
}

ReplyState state_of(Approval approval) {
    return approval == Approval::automatic ? ReplyState::shown : ReplyState::pending;
}

Approval approval_to_reply(db::Read& db, const Access& to) {
    auto approval = reply_approval_for(db, to);
    if (approval == Approval::denied)
        throw base::Invalid("The author of the post you are trying to reply to accepts no replies to it.");
    return approval;
}

const db::Command put_reply_approval{
    "put_reply_approval",
    R"(INSERT INTO reply_approvals (status_id, account_id, parent_id, author_id, state, request, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (status_id) DO UPDATE SET state = excluded.state)"
};
const db::Command set_reply_state{
    "set_reply_state",
    "UPDATE statuses SET reply_state = $2, version = version + 1 WHERE id = $1 AND reply_state <> $2"
};
const db::Command set_reply_approval{
    "set_reply_approval", "UPDATE reply_approvals SET state = $2 WHERE status_id = $1"
};

void add_reply(db::Write& db, const Reply& reply, const Access& to, Approval approval) {
    const auto& parent = to.facts;
    if (approval == Approval::automatic) count_reply(db, parent.id, reply.visibility, 1);
    if (approval == Approval::automatic && (parent.open_to_replies || parent.account_id == to.account))
        return;
    using enum ReplyApprovalState;
    auto state = approval == Approval::automatic ? approved
                 : approval == Approval::denied  ? refused
                                                 : pending;
    db.run(
        put_reply_approval, reply.id, to.account, parent.id, parent.account_id, state, reply.request, db.now()
    );
    // Local replies emit their own events.
    if (state == approved && to.remote)
        db.emit(ReplyApproved{reply.id, parent.id, to.account, parent.account_id});
    if (state == refused)
        db.emit(ReplyRefused{reply.id, parent.id, to.account, parent.account_id, reply.request});
}

namespace {

// A reply, and its state relative to its parent.
struct Answer {
    StatusId id, parent;
    AccountId account, author;
    Visibility visibility = Visibility::public_;
    ReplyState state = ReplyState::shown;
    bool restricted = false;  // not everybody may reply to its parent
    std::optional<ReplyApprovalState> approval;
    std::string request;

    ReplyApproved event() const { return {id, parent, account, author}; }
};
DESCRIBE(Answer, id, parent, account, author, visibility, state, restricted, approval, request)

}  // namespace

const db::Query<Answer> answer_to_parent{
    "answer_to_parent",
    R"(SELECT s.id, p.id AS parent, s.account_id AS account, p.account_id AS author, s.visibility, s.reply_state AS state,
              (p.reply_policy <> 'public' OR p.reply_approval <> 0) AS restricted, x.state AS approval,
              COALESCE(x.request, '') AS request
       FROM statuses s JOIN statuses p ON p.id = s.in_reply_to_id
       LEFT JOIN reply_approvals x ON x.status_id = s.id
       WHERE s.id = $1 AND s.deleted_at IS NULL AND p.deleted_at IS NULL)"
};

const db::Command detach_from_parent{
    "detach_from_parent",
    R"(UPDATE statuses SET in_reply_to_id = NULL, in_reply_to_account_id = NULL, reply_state = 'shown',
           version = version + 1 WHERE id = $1)"
};

const db::Command note_reply_request{
    "note_reply_request", "UPDATE reply_approvals SET request = $2 WHERE status_id = $1"
};

void answer_reply_again(db::Write& db, StatusId reply, const std::string& request) {
    db.run(note_reply_request, reply, request);
    auto answer = db.maybe(answer_to_parent, reply);
    // If everybody may reply, no approval is stored, and other servers need none.
    if (answer && answer->approval == ReplyApprovalState::approved) db.emit(answer->event());
}

namespace {

Answer own_answer(db::Read& db, AccountId me, const AnswerTo& named) {
    auto viewer = audience(db, me);
    auto parent = visible_facts(db, viewer, named.parent);
    if (parent.account_id != me) throw base::Forbidden();
    auto answer = db.maybe(answer_to_parent, named.reply);
    if (!answer || answer->parent != parent.id || answer->account == me) throw base::NoSuchStatus();
    visible_facts(db, viewer, answer->id);
    return *answer;
}

void show_as(db::Write& db, const Answer& answer, ReplyState state) {
    db.run(set_reply_state, answer.id, state);
    bool counted_before = answer.state == ReplyState::shown, counts = state == ReplyState::shown;
    if (counted_before != counts) count_reply(db, answer.parent, answer.visibility, counts ? 1 : -1);
}

void put(db::Write& db, const Answer& answer, ReplyApprovalState state) {
    db.run(
        put_reply_approval,
        answer.id,
        answer.account,
        answer.parent,
        answer.author,
        state,
        answer.request,
        db.now()
    );
}

void detach(db::Write& db, const Answer& answer) {
    if (answer.state == ReplyState::shown) count_reply(db, answer.parent, answer.visibility, -1);
    db.run(detach_from_parent, answer.id);
}

void approve(db::Write& db, const Answer& answer) {
    put(db, answer, ReplyApprovalState::approved);
    show_as(db, answer, ReplyState::shown);
    db.emit(answer.event());
}

}  // namespace

void approve_reply(db::Write& db, AccountId me, const AnswerTo& named) {
    auto answer = own_answer(db, me, named);
    if (answer.approval == ReplyApprovalState::pending) approve(db, answer);
}

void refuse_reply(db::Write& db, AccountId me, const AnswerTo& named) {
    auto answer = own_answer(db, me, named);
    if (answer.approval == ReplyApprovalState::approved)
        db.emit(ReplyRevoked{answer.id, answer.parent, answer.account, answer.author});
    put(db, answer, ReplyApprovalState::refused);
    detach(db, answer);
    db.emit(ReplyRefused{answer.id, answer.parent, answer.account, answer.author, answer.request});
}

void hide_reply(db::Write& db, AccountId me, const AnswerTo& named) {
    auto answer = own_answer(db, me, named);
    show_as(db, answer, ReplyState::hidden);
    // What waited for an answer has one now, of which nobody is told.
    db.run(set_reply_approval, answer.id, ReplyApprovalState::revoked);
    if (answer.approval == ReplyApprovalState::approved)
        db.emit(ReplyRevoked{answer.id, answer.parent, answer.account, answer.author});
}

void unhide_reply(db::Write& db, AccountId me, const AnswerTo& named) {
    auto answer = own_answer(db, me, named);
    if (answer.state != ReplyState::hidden) return;
    if (answer.restricted || answer.approval) approve(db, answer);
    else show_as(db, answer, ReplyState::shown);
}

const db::Query<bool> is_shown_reply{
    "is_shown_reply", "SELECT reply_state = 'shown' FROM statuses WHERE id = $1"
};

bool stands_as_reply(db::Read& db, StatusId reply) { return db.one(is_shown_reply, reply); }

void detach_reply(db::Write& db, StatusId reply) {
    auto answer = db.maybe(answer_to_parent, reply);
    if (!answer) return;
    db.run(set_reply_approval, reply, ReplyApprovalState::refused);
    detach(db, *answer);
}

const db::Query<StatusId> pending_replies_to{
    "pending_replies_to",
    R"(SELECT x.status_id FROM reply_approvals x JOIN statuses p ON p.id = x.parent_id AND p.deleted_at IS NULL
       WHERE x.author_id = $1 AND x.state = 'pending' AND x.status_id > $2 AND x.status_id < $3
       ORDER BY x.status_id DESC LIMIT $4)"
};

std::vector<StatusId> pending_replies(db::Read& db, AccountId author, const base::Range& page) {
    return db.all(pending_replies_to, author, page.above, page.below, page.limit);
}

const db::Command update_reply_policy{
    "update_reply_policy",
    "UPDATE statuses SET reply_policy = $2, version = version + 1 WHERE id = $1 AND reply_policy <> $2"
};

void set_reply_policy(db::Write& db, AccountId me, StatusId id, ReplyPolicy policy) {
    auto status = visible_facts(db, audience(db, me), id);
    if (status.account_id != me || status.is_reblog()) throw base::Forbidden();
    if (db.run(update_reply_policy, id, policy) > 0) db.emit(InteractionPolicyChanged{id, me});
}

#define REPLY_APPROVALS                                                                            \
    "SELECT x.status_id AS reply, x.parent_id AS parent, x.account_id AS account, x.author_id AS " \
    "author, x.state, x.authorization_uri, x.request, a.domain = '' AS account_local, "            \
    "b.domain = '' AS author_local FROM reply_approvals x JOIN accounts a ON a.id = x.account_id " \
    "JOIN accounts b ON b.id = x.author_id "

const db::Query<StoredReplyApproval> reply_approval_of_status{
    "reply_approval_of_status", REPLY_APPROVALS "WHERE x.status_id = $1"
};
const db::Query<StoredReplyApproval> reply_approval_of_uri{
    "reply_approval_of_uri",
    REPLY_APPROVALS
    "WHERE x.author_id = $1 AND x.state = 'approved' AND x.authorization_uri = $2 AND x.authorization_uri <> "
    "'' LIMIT 1"
};

std::optional<StoredReplyApproval> reply_approval_of(db::Read& db, StatusId reply) {
    return db.maybe(reply_approval_of_status, reply);
}

std::optional<StoredReplyApproval> reply_approval_by_uri(
    db::Read& db, AccountId author, std::string_view authorization_uri
) {
    return db.maybe(reply_approval_of_uri, author, authorization_uri);
}

const db::Command keep_reply_authorization{
    "keep_reply_authorization",
    R"(UPDATE reply_approvals SET authorization_uri = $2
       WHERE status_id = $1 AND (state = 'pending' OR (state = 'approved' AND authorization_uri = '')))"
};

bool authorize_reply(db::Write& db, StatusId reply, const std::string& authorization_uri) {
    if (db.run(keep_reply_authorization, reply, authorization_uri) == 0) return false;
    if (auto answer = db.maybe(answer_to_parent, reply)) {
        db.run(set_reply_approval, reply, ReplyApprovalState::approved);
        show_as(db, *answer, ReplyState::shown);
    }
    db.emit(ReplyAuthorized{reply});
    return true;
}

const db::Command forget_reply_authorization{
    "forget_reply_authorization",
    "UPDATE reply_approvals SET state = 'pending', authorization_uri = '' WHERE status_id = $1"
};
// So that the authorization can be named again.
const db::Command forget_named_authorization{
    "forget_named_authorization", "UPDATE remote_statuses SET reply_authorization = '' WHERE status_id = $1"
};

void revoke_reply(db::Write& db, StatusId reply) {
    auto answer = db.maybe(answer_to_parent, reply);
    if (!answer) return;
    db.run(forget_reply_authorization, reply);
    db.run(forget_named_authorization, reply);
    show_as(db, *answer, ReplyState::pending);
}

const db::Command delete_reply_approval{
    "delete_reply_approval", "DELETE FROM reply_approvals WHERE status_id = $1"
};

void forget_reply_approval(db::Write& db, const Deleted& e) { db.run(delete_reply_approval, e.id); }

const db::Command drop_own_reply_approvals{
    "drop_own_reply_approvals",
    R"(DELETE FROM reply_approvals WHERE status_id IN (
           SELECT status_id FROM reply_approvals WHERE account_id = $1 ORDER BY status_id LIMIT $2))"
};

}  // namespace statuses
