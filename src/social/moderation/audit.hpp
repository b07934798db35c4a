// SPDX-License-Identifier: AGPL-3.0-or-later
// The audit log: who of the staff did what to whom, one entry an act. Entries are added and never changed; each carries a
// hash of itself and of the one before, and the last one stands a second time, so that whatever is done to the table
// behind the program's back is found.
#pragma once
#include "base/page.hpp"
#include "social/accounts/users/role.hpp"

namespace moderation {

using AuditId = base::Id<struct AuditTag>;
using AuditTargetId = base::Id<struct AuditTargetTag>;  // of whatever kind

// What was acted on: a kind of the API ("Account", "DomainBlock"), its id and a name that says something to people.
struct Subject {
    std::string kind;
    std::int64_t id = 0;
    std::string name;
};

// `details`: JSON, or empty; nothing that has to be forgotten one day.
void log(
    db::Write&, const accounts::Actor&, std::string_view action, const Subject&, std::string_view details = {}
);

struct AuditEntry {
    AuditId id;
    base::Time at;
    base::AccountId actor_id;
    std::string action, target_kind;
    AuditTargetId target_id;
    std::string target_name, details, hash;
};
DESCRIBE(AuditEntry, id, at, actor_id, action, target_kind, target_id, target_name, details, hash)

struct AuditFilter {
    std::optional<base::AccountId> actor;
    std::optional<std::string> action;
    std::optional<std::pair<std::string, std::int64_t>> target;
};
// Newest first. One of the three narrows the list: the target, else the actor, else the action.
std::vector<AuditEntry> audit_entries(db::Read&, const base::Range&, const AuditFilter&);

// The number of the newest entry, 0 without any. Numbers follow each other without a gap, in the order of time.
std::int64_t newest_audit_entry(db::Read&);

struct AuditVerdict {
    std::int64_t entries = 0;
    std::string head;  // the hash of the last one: who notes it elsewhere can compare it one day
    std::optional<std::int64_t> wrong;  // the first entry that is not as it was written
    std::string problem;                // a sentence; empty: all is well
};
DESCRIBE(AuditVerdict, entries, head, wrong, problem)
AuditVerdict verify_audit(db::Read&);

}  // namespace moderation
