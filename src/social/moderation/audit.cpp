// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/audit.hpp"

#include "base/crypto.hpp"
#include "base/json.hpp"

#include <algorithm>

namespace moderation {

namespace {

struct Head {
    std::int64_t entry_id = 0;
    std::string hash;
};
DESCRIBE(Head, entry_id, hash)

// Of the hash before and of all that the entry says.
std::string hash_of(std::string_view before, AuditEntry entry) {
    entry.hash = before;
    return base::sha256_hex(base::json::to_string(entry));
}

}  // namespace

const db::Query<Head> take_audit_head{
    "take_audit_head", "SELECT entry_id, hash FROM audit_heads WHERE name = 'staff' FOR UPDATE"
};
const db::Query<Head> audit_head{"audit_head", "SELECT entry_id, hash FROM audit_heads WHERE name = 'staff'"};
const db::Command move_audit_head{
    "move_audit_head", "UPDATE audit_heads SET entry_id = $1, hash = $2 WHERE name = 'staff'"
};
const db::Command insert_audit_entry{
    "insert_audit_entry",
    R"(INSERT INTO audit_entries (id, at, actor_id, action, target_kind, target_id, target_name, details, hash)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9))"
};

void log(
    db::Write& db, const accounts::Actor& who, std::string_view action, const Subject& subject,
    std::string_view details
) {
    auto last = db.one(take_audit_head);
    AuditEntry entry{
        {last.entry_id + 1},
        db.now(),
        who.account,
        std::string(action),
        subject.kind,
        {subject.id},
        subject.name,
        std::string(details),
        {}
    };
    entry.hash = hash_of(last.hash, entry);
    db.run(
        insert_audit_entry,
        entry.id,
        entry.at,
        entry.actor_id,
        entry.action,
        entry.target_kind,
        entry.target_id,
        entry.target_name,
        entry.details,
        entry.hash
    );
    db.run(move_audit_head, entry.id, entry.hash);
}

#define ENTRIES                                                                                 \
    "SELECT id, at, actor_id, action, target_kind, target_id, target_name, details, hash FROM " \
    "audit_entries "
#define DOWN "id < $1 AND id > $2 ORDER BY id DESC LIMIT $3"
#define UP "id < $1 AND id > $2 ORDER BY id LIMIT $3"

const db::Query<AuditEntry> audit_down{"audit_down", ENTRIES "WHERE " DOWN};
const db::Query<AuditEntry> audit_up{"audit_up", ENTRIES "WHERE " UP};
const db::Query<AuditEntry> audit_of_actor_down{
    "audit_of_actor_down", ENTRIES "WHERE actor_id = $4 AND " DOWN
};
const db::Query<AuditEntry> audit_of_actor_up{"audit_of_actor_up", ENTRIES "WHERE actor_id = $4 AND " UP};
const db::Query<AuditEntry> audit_by_action_down{
    "audit_by_action_down", ENTRIES "WHERE action = $4 AND " DOWN
};
const db::Query<AuditEntry> audit_by_action_up{"audit_by_action_up", ENTRIES "WHERE action = $4 AND " UP};
const db::Query<AuditEntry> audit_on_target_down{
    "audit_on_target_down", ENTRIES "WHERE target_kind = $4 AND target_id = $5 AND " DOWN
};
const db::Query<AuditEntry> audit_on_target_up{
    "audit_on_target_up", ENTRIES "WHERE target_kind = $4 AND target_id = $5 AND " UP
};

namespace {

std::vector<AuditEntry> some(db::Read& db, const base::Range& r, const AuditFilter& filter) {
    if (filter.target)
        return db.all(
            r.ascending ? audit_on_target_up : audit_on_target_down,
            r.below,
            r.above,
            r.limit,
            filter.target->first,
            filter.target->second
        );
    if (filter.actor)
        return db.all(
            r.ascending ? audit_of_actor_up : audit_of_actor_down, r.below, r.above, r.limit, *filter.actor
        );
    if (filter.action)
        return db.all(
            r.ascending ? audit_by_action_up : audit_by_action_down, r.below, r.above, r.limit, *filter.action
        );
    return db.all(r.ascending ? audit_up : audit_down, r.below, r.above, r.limit);
}

}  // namespace

std::vector<AuditEntry> audit_entries(db::Read& db, const base::Range& range, const AuditFilter& filter) {
    auto found = some(db, range, filter);
    if (range.ascending) std::ranges::reverse(found);
    return found;
}

std::int64_t newest_audit_entry(db::Read& db) { return db.one(audit_head).entry_id; }

AuditVerdict verify_audit(db::Read& db) {
    constexpr int chunk = 5000;
    auto head = db.one(audit_head);
    AuditVerdict out;
    out.head = head.hash;
    auto wrong = [&](std::int64_t id, std::string problem) {
        out.wrong = id;
        out.problem = std::move(problem);
        return out;
    };
    std::string before;
    for (;;) {
        auto found = db.all(audit_up, std::numeric_limits<std::int64_t>::max(), out.entries, chunk);
        for (const auto& entry : found) {
            auto expected = out.entries + 1;
            if (entry.id.value != expected)
                return wrong(expected, "Entry " + std::to_string(expected) + " is missing");
            if (entry.hash != hash_of(before, entry))
                return wrong(expected, "Entry " + std::to_string(expected) + " is not as it was written");
            before = entry.hash;
            out.entries = expected;
        }
        if (found.size() < chunk) break;
    }
    if (head.entry_id != out.entries || head.hash != before)
        return wrong(
            out.entries + 1, "The log ends at " + std::to_string(out.entries) + ", not where it was left"
        );
    return out;
}

}  // namespace moderation
