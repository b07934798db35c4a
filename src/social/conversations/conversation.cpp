// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/conversations/conversation.hpp"

#include <algorithm>
#include <charconv>

namespace conversations {

std::vector<AccountId> Conversation::others() const {
    std::vector<AccountId> out;
    for (auto at = participants.data(), end = at + participants.size(); at < end; ++at) {
        AccountId other;
        if (auto read = std::from_chars(at, end, other.value); read.ec == std::errc{}) {
            out.push_back(other);
            at = read.ptr;
        }
    }
    return out;
}

#define CONVERSATIONS \
    "SELECT id, unread, participants, last_status_id FROM account_conversations WHERE account_id = $1 "
#define IN_RANGE CONVERSATIONS "AND last_status_id > $2 AND last_status_id < $3 ORDER BY last_status_id "

const db::Query<Conversation> conversations_down{"conversations_down", IN_RANGE "DESC LIMIT $4"};
const db::Query<Conversation> conversations_up{"conversations_up", IN_RANGE "LIMIT $4"};

std::vector<Conversation> conversations(db::Read& db, AccountId account, const base::Range& range) {
    const auto& sql = range.ascending ? conversations_up : conversations_down;
    auto found = db.all(sql, account, range.above, range.below, range.limit);
    if (range.ascending) std::ranges::reverse(found);
    return found;
}

const db::Query<Conversation> conversation_by_id{"conversation_by_id", CONVERSATIONS "AND id = $2"};

Conversation conversation(db::Read& db, AccountId account, ViewId id) {
    return db.one(conversation_by_id, account, id);
}

namespace {

void announce(db::Write& db, AccountId owner, ViewId view) {
    db.announce({"direct:" + std::to_string(owner.value), "conversation", std::to_string(view.value)});
}

}  // namespace

const db::Command mark_conversation{
    "mark_conversation",
    "UPDATE account_conversations SET unread = $3 WHERE account_id = $1 AND id = $2 AND unread <> $3"
};

// Unchanged marks are not announced, or a client that marks at each event would loop.
void mark(db::Write& db, AccountId account, ViewId id, bool unread) {
    if (db.run(mark_conversation, account, id, unread) != 0) announce(db, account, id);
    else conversation(db, account, id);
}

const db::Command delete_conversation{
    "delete_conversation", "DELETE FROM account_conversations WHERE account_id = $1 AND id = $2"
};
const db::Command delete_conversation_statuses{
    "delete_conversation_statuses",
    "DELETE FROM account_conversation_statuses WHERE account_conversation_id = $1"
};

void remove(db::Write& db, AccountId account, ViewId id) {
    if (db.run(delete_conversation, account, id) == 0) throw base::NotFound();
    db.run(delete_conversation_statuses, id);
}

namespace {

std::string participants_of(db::Read& db, AccountId owner, const statuses::Status& status) {
    auto people = statuses::mentioned(db, status.id);
    people.push_back(status.account_id);
    std::ranges::sort(people);
    people.erase(std::ranges::unique(people).begin(), people.end());
    std::string out = ",";
    for (auto id : people)
        if (id != owner) out += std::to_string(id.value) + ",";
    return out;
}

}  // namespace

const db::Query<ViewId> view_of{
    "view_of",
    R"(SELECT id FROM account_conversations WHERE account_id = $1 AND conversation_id = $2 AND participants = $3)"
};
const db::Command insert_view{
    "insert_view",
    R"(INSERT INTO account_conversations (id, account_id, conversation_id, participants, last_status_id, unread)
       VALUES ($1, $2, $3, $4, 0, FALSE))"
};
const db::Command insert_into_view{
    "insert_into_view",
    R"(INSERT INTO account_conversation_statuses (account_conversation_id, status_id) VALUES ($1, $2)
       ON CONFLICT (account_conversation_id, status_id) DO NOTHING)"
};
const db::Command advance_view{
    "advance_view",
    R"(UPDATE account_conversations SET unread = $3,
           last_status_id = CASE WHEN last_status_id < $2 THEN $2 ELSE last_status_id END WHERE id = $1)"
};

namespace {

void keep(db::Write& db, AccountId owner, const statuses::Status& status) {
    auto participants = participants_of(db, owner, status);
    auto view = db.maybe(view_of, owner, status.conversation_id, participants);
    if (!view) {
        view = db.new_id<ViewId>();
        db.run(insert_view, *view, owner, status.conversation_id, participants);
    }
    if (db.run(insert_into_view, *view, status.id) == 0) return;
    db.run(advance_view, *view, status.id, status.account_id != owner);
    announce(db, owner, *view);
}

}  // namespace

void keep_sent(db::Write& db, const statuses::Published& published) {
    if (!published.local || published.not_direct) return;
    auto status = statuses::find_status(db, published.id);
    if (status && status->visibility == statuses::Visibility::direct) keep(db, published.account, *status);
}

void keep_received(db::Write& db, const notifications::DirectReceived& received) {
    if (auto status = statuses::find_status(db, received.status)) keep(db, received.account, *status);
}

const db::Query<ViewId> views_with{
    "views_with", "SELECT account_conversation_id FROM account_conversation_statuses WHERE status_id = $1"
};
const db::Command take_from_views{
    "take_from_views", "DELETE FROM account_conversation_statuses WHERE status_id = $1"
};
// $1: the view. The remaining statuses determine the last one.
const db::Command step_back{
    "step_back",
    R"(UPDATE account_conversations SET last_status_id = COALESCE(
           (SELECT max(status_id) FROM account_conversation_statuses WHERE account_conversation_id = $1), 0)
       WHERE id = $1)"
};
const db::Command delete_empty_view{
    "delete_empty_view", "DELETE FROM account_conversations WHERE id = $1 AND last_status_id = 0"
};

namespace {

struct SteppedBack {
    ViewId id;
    AccountId account;
};
DESCRIBE(SteppedBack, id, account)

}  // namespace

const db::Query<SteppedBack> stepped_back{
    "stepped_back",
    "SELECT id, account_id AS account FROM account_conversations WHERE id IN LIST($1) AND last_status_id < $2"
};

void forget_status(db::Write& db, const statuses::Deleted& deleted) {
    auto views = db.all(views_with, deleted.id);
    if (views.empty()) return;
    db.run(take_from_views, deleted.id);
    for (auto view : views) {
        db.run(step_back, view);
        db.run(delete_empty_view, view);
    }
    for (const auto& one : db.all(stepped_back, views, deleted.id)) announce(db, one.account, one.id);
}

const db::Query<ViewId> views_with_account{
    "views_with_account",
    "SELECT id FROM account_conversations WHERE account_id = $1 AND participants LIKE $2"
};

namespace {

void forget_participant(db::Write& db, AccountId owner, AccountId participant) {
    auto pattern = "%," + std::to_string(participant.value) + ",%";
    for (auto view : db.all(views_with_account, owner, pattern)) remove(db, owner, view);
}

}  // namespace

void forget_blocked(db::Write& db, const relationships::Blocked& e) {
    forget_participant(db, e.account, e.target);
}

void forget_muted(db::Write& db, const relationships::Muted& e) {
    if (e.notifications) forget_participant(db, e.account, e.target);
}

const db::Command drop_own_account_conversation_statuses{
    "drop_own_account_conversation_statuses",
    R"(DELETE FROM account_conversation_statuses WHERE account_conversation_id IN (
           SELECT w.id FROM account_conversations w WHERE w.account_id = $1 AND EXISTS (
               SELECT 1 FROM account_conversation_statuses x WHERE x.account_conversation_id = w.id)
           ORDER BY w.id LIMIT $2))"
};
const db::Command drop_own_account_conversations{
    "drop_own_account_conversations",
    R"(DELETE FROM account_conversations WHERE account_id = $1 AND id IN (
           SELECT id FROM account_conversations WHERE account_id = $1 ORDER BY id LIMIT $2))"
};

}  // namespace conversations
