// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/interactions/interaction_rules.hpp"

#include "social/accounts/account.hpp"
#include "social/relationships/relationship.hpp"
#include "social/statuses/core/status.hpp"

namespace statuses {

std::optional<Access> access_to(db::Read& db, AccountId who, StatusId id) {
    expect_facts(db, id);
    auto account = accounts::account(db, who);
    auto viewer = audience(db, who, account.relations_version);
    auto found = visibility_facts(db, viewer, {id});
    if (found.empty()) return std::nullopt;
    Access out;
    out.account = who;
    out.remote = !account.local();
    out.sees = visible(found[0], viewer);
    out.through_reblog = found[0].is_reblog();
    if (out.through_reblog) found = visibility_facts(db, viewer, {found[0].original_id});
    if (found.empty()) return std::nullopt;
    out.facts = found[0];
    auto author = out.facts.account_id;
    out.blocked = viewer.relations->blocked_by.contains(author);
    out.blocking = viewer.relations->blocking.contains(author);
    if (!out.remote) return out;
    bool server_blocked = relationships::pair_state(db, author, who).blocking_domain;
    out.blocked = out.blocked || server_blocked;
    // Mentioned accounts may read a restricted status in spite of a block (visibility.cpp).
    out.sees = out.sees && !out.facts.local_only && (!server_blocked || out.facts.mentioned);
    return out;
}

namespace {

// Only its author may pass on a private status, and nobody one for mentioned accounts.
bool may_pass_on(const Access& access) {
    bool own = access.facts.account_id == access.account;
    auto visibility = access.facts.visibility;
    return access.sees && !access.blocking && (open(visibility) || (own && counted(visibility)));
}

}  // namespace

bool may_reply(const Access& access) { return access.sees && !access.through_reblog; }
bool may_boost(const Access& access) { return may_pass_on(access); }
bool may_quote(const Access& access) { return may_pass_on(access); }

const db::Query<StatusId> reblog_of_by{
    "reblog_of_by",
    "SELECT id FROM statuses WHERE reblog_of_id = $1 AND account_id = $2 AND deleted_at IS NULL"
};

std::optional<StatusId> reblog_by(db::Read& db, AccountId account, StatusId original) {
    return db.maybe(reblog_of_by, original, account);
}

Place place(const VisibilityFacts& parent, AccountId author) {
    // A continuation of one's own reply to somebody is still a reply to them.
    bool own = parent.account_id == author && parent.in_reply_to_account_id;
    return {parent.conversation_id, parent.id, own ? parent.in_reply_to_account_id : parent.account_id};
}

const db::Command insert_conversation{
    "insert_conversation",
    "INSERT INTO conversations (id, created_at, status_id, account_id) VALUES ($1, $2, $3, $4)"
};

ConversationId start_conversation(db::Write& db, StatusId first, AccountId author) {
    auto id = db.new_id<ConversationId>();
    db.run(insert_conversation, id, db.now(), first, author);
    return id;
}

const db::Query<bool> is_written_here{"is_written_here", "SELECT local FROM statuses WHERE id = $1"};

bool written_here(db::Read& db, StatusId id) { return db.one(is_written_here, id); }

Attachment attachment(db::Read& db, const Access& access) {
    if (may_reply(access)) return Attachment::attached;
    if (access.blocked) return Attachment::refused;
    return written_here(db, access.facts.id) ? Attachment::unattached : Attachment::attached;
}

}  // namespace statuses
