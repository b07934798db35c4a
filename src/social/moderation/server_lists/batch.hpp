// SPDX-License-Identifier: AGPL-3.0-or-later
// Applied lists of servers. Their rules come into force in the background, thousands at once (rule_jobs.cpp);
// the same job then applies them to the accounts there, in chunks (batch_jobs.cpp). A list can be undone for
// a month.
#pragma once
#include "jobs/reactions.hpp"
#include "social/moderation/audit.hpp"
#include "social/moderation/server_lists/plan.hpp"

namespace moderation {

using base::AccountId, base::Time, instance::ListBatchId;

// In this order; the last four after it was undone.
BOOST_DEFINE_ENUM_CLASS(
    ListStep, applying, marking, collecting, severing, telling, applied, lifting, unmarking, restoring, undone
)

struct ListBatch {
    static constexpr std::string_view entity = "ServerList";
    ListBatchId id;
    std::string name;
    AccountId applied_by;
    ListStep step = ListStep::applying;
    std::int64_t domains = 0;  // rules that it made, alone or with others
    std::int64_t accounts = 0, following = 0, followers = 0, restored = 0;  // so far
    Time created_at;
    std::optional<Time> finished_at, undone_at;
    bool forgotten = false;  // the relationships that it ended are no longer stored

    bool is_undone() const { return undone_at.has_value(); }
};
DESCRIBE(
    ListBatch, id, name, applied_by, step, domains, accounts, following, followers, restored, created_at,
    finished_at, undone_at, forgotten
)

std::vector<ListBatch> list_batches(db::Read&, const base::Range&);  // newest first
ListBatch list_batch(db::Read&, ListBatchId);                        // throws NotFound

// The result for the lines of a list; a dry run has no id.
struct AppliedList {
    std::optional<ListBatchId> id;
    std::int64_t added = 0, joined = 0, own = 0, covered = 0, excepted = 0, refused = 0;
};
DESCRIBE(AppliedList, id, added, joined, own, covered, excepted, refused)

// The slow part of it, done on a reader.
struct PreparedList {
    AppliedList counts;
    std::int64_t domains = 0;
    std::string lines;
    std::optional<ListBatchId> latest;  // that was applied before
    bool other_comes = false;           // and was not in force yet
};
PreparedList prepare_list(db::Read&, const ServerList&);

// Throws Invalid: no name, no line that changes anything, or another list is being applied.
AppliedList apply_list(
    db::Write&, const accounts::Actor&, const std::string& name, const PreparedList&, bool dry_run = false
);

// Throws Invalid while a list is being applied.
void require_no_list_coming(db::Read&);

struct UndoneList {
    ListBatchId id;
    std::int64_t removed = 0, kept = 0;  // rules: lifted, and kept because of other lists or staff
    std::int64_t following = 0;          // follows by local accounts, requested again in steps
    std::int64_t followers = 0;          // of local accounts, which cannot be restored
};
DESCRIBE(UndoneList, id, removed, kept, following, followers)

// `ending`: the effect on rules, determined on a reader. Throws NotFound, and Invalid when it is undone
// already or too old.
UndoneList undo_list(
    db::Write&, const accounts::Actor&, ListBatchId, const instance::EndedRules& ending, bool dry_run = false
);

std::string except_from_lists(
    db::Write&, const accounts::Actor&, const std::string& domain, const std::string& comment
);
void end_exception(db::Write&, const accounts::Actor&, const std::string& domain);  // throws NotFound

// Event: this step of a list goes on. Its own lines go by `line`, or by `domain`; servers go by `domain`, which is done, `server`, done too, and the account `after` of
// the next one; people by `person`, and the kind and number of the last tie that is done.
struct ListGoesOn {
    ListBatchId batch;
    ListStep step = ListStep::applying;
    std::int64_t line = 0;
    std::string domain, server;
    AccountId after, person;
    std::int64_t kind = 0, tie = 0;
    std::int64_t not_before = 0;  // in ms
};
DESCRIBE(ListGoesOn, batch, step, line, domain, server, after, person, kind, tie, not_before)
// Event: the relationships that an old list ended are deleted.
struct ListForgetting {
    ListBatchId batch;
};
DESCRIBE(ListForgetting, batch)

// Reactions
jobs::Change go_through_list(db::Read&, const ListGoesOn&);
void continue_forgetting_list(db::Write&, const ListForgetting&);

void forget_lists(db::Write&);  // periodic

// ---- for the job ----

struct ListCounts {
    std::int64_t accounts = 0, following = 0, followers = 0, restored = 0;
};
void count_list(db::Write&, ListBatchId, const ListCounts&);
void begin_step(db::Write&, ListBatchId, ListStep);
bool is_at(db::Read&, const ListGoesOn&);  // false: the list was undone, or another process was faster

// rule_jobs.cpp
void keep_lines(db::Write&, ListBatchId, const std::string& lines);  // until they are in force
void drop_lines(db::Write&, ListBatchId);
jobs::Change put_in_force(db::Read&, const ListGoesOn&);
jobs::Change lift(db::Read&, const ListGoesOn&);

}  // namespace moderation
