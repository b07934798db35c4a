// SPDX-License-Identifier: AGPL-3.0-or-later
// The audit log: which member of staff did what to whom, one entry per act. Entries are never changed; each
// has a hash of itself and of the previous one, and the last hash is stored a second time, so that changes of
// the table by other means are detected.
#pragma once
#include "base/page.hpp"
#include "social/accounts/users/role.hpp"

namespace moderation {

using AuditId = base::Id<struct AuditTag>;
using AuditTargetId = base::Id<struct AuditTargetTag>;  // of any kind

// The target of an act: a kind of the API ("Account", "DomainBlock"), its id and a readable name.
struct Subject {
    std::string kind;
    std::int64_t id = 0;
    std::string name;
};

// `details`: JSON, or empty; no data that must be deleted at some time.
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
// Newest first. Only one filter applies: the target, else the actor, else the action.
std::vector<AuditEntry> audit_entries(db::Read&, const base::Range&, const AuditFilter&);

// The number of the newest entry, 0 if there is none. Numbers have no gaps and are in order of time.
std::int64_t newest_audit_entry(db::Read&);

struct AuditVerdict {
    std::int64_t entries = 0;
    std::string head;  // the hash of the last one, which can be stored elsewhere for later comparison
    std::optional<std::int64_t> wrong;  // the first entry that was changed
    std::string problem;                // a sentence; empty: no problem
};
DESCRIBE(AuditVerdict, entries, head, wrong, problem)
AuditVerdict verify_audit(db::Read&);

}  // namespace moderation
