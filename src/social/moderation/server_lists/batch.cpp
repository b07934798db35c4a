// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/server_lists/batch.hpp"

#include "base/json.hpp"
#include "base/text/blank.hpp"
#include "social/relationships/list_severing.hpp"

#include <algorithm>

namespace moderation {

namespace {

using accounts::Actor;
namespace permission = accounts::permission;

constexpr std::size_t longest_name = 100;

Subject subject(ListBatchId id, const std::string& name) { return {"ServerList", id.value, name}; }

Time oldest_kept(db::Read& db) { return db.now().plus_seconds(-instance::suspended_servers_kept_seconds); }

}  // namespace

#define LIST_BATCHES                                                                                     \
    "SELECT id, name, applied_by, step, domains, accounts, following, followers, restored, created_at, " \
    "finished_at, undone_at, forgotten FROM list_batches "
const db::Query<ListBatch> list_batches_down{
    "list_batches_down", LIST_BATCHES "WHERE id < $1 AND id > $2 ORDER BY id DESC LIMIT $3"
};
const db::Query<ListBatch> list_batches_up{
    "list_batches_up", LIST_BATCHES "WHERE id < $1 AND id > $2 ORDER BY id LIMIT $3"
};
const db::Query<ListBatch> list_batch_by_id{"list_batch_by_id", LIST_BATCHES "WHERE id = $1"};
const db::Command insert_list_batch{
    "insert_list_batch",
    R"(INSERT INTO list_batches (id, name, applied_by, step, domains, created_at)
       VALUES ($1, $2, $3, 'applying', $4, $5))"
};

std::vector<ListBatch> list_batches(db::Read& db, const base::Range& r) {
    auto found = db.all(r.ascending ? list_batches_up : list_batches_down, r.below, r.above, r.limit);
    if (r.ascending) std::ranges::reverse(found);
    return found;
}

ListBatch list_batch(db::Read& db, ListBatchId id) { return db.one(list_batch_by_id, id); }

namespace {

std::optional<ListBatch> latest_list(db::Read& db) {
    base::Range one;
    one.limit = 1;
    auto found = list_batches(db, one);
    if (found.empty()) return std::nullopt;
    return std::move(found.front());
}

}  // namespace

PreparedList prepare_list(db::Read& db, const ServerList& list) {
    const auto plan = plan_list(RulesNow(db), list.rules, list.priority);
    const auto rules = plan.in_force();
    PreparedList out;
    out.counts = {
        {},
        plan.count(Fate::added),
        plan.count(Fate::joined),
        plan.count(Fate::own),
        plan.count(Fate::covered),
        plan.count(Fate::excepted),
        std::ssize(list.refused)
    };
    out.domains = std::ssize(rules);
    out.lines = base::json::to_string(rules);
    if (const auto latest = latest_list(db)) {
        out.latest = latest->id;
        out.other_comes = latest->step == ListStep::applying;
    }
    return out;
}

namespace {

[[noreturn]] void refuse_while_one_comes() { throw base::Invalid("Another list comes into force just now"); }

}  // namespace

void require_no_list_coming(db::Read& db) {
    const auto latest = latest_list(db);
    if (latest && latest->step == ListStep::applying) refuse_while_one_comes();
}

AppliedList apply_list(
    db::Write& db, const Actor& who, const std::string& name, const PreparedList& list, bool dry_run
) {
    accounts::require(who, permission::manage_federation);
    if (base::text::is_blank(name)) throw base::Invalid("Validation failed: Name can't be blank");
    if (name.size() > longest_name) throw base::Invalid("Validation failed: Name is too long");
    if (list.domains == 0) throw base::Invalid("There is nothing new in the list");
    // What becomes of a line was decided by the rules that there were.
    require_no_list_coming(db);
    const auto latest = latest_list(db);
    if (latest && (list.other_comes || latest->id != list.latest)) refuse_while_one_comes();
    auto out = list.counts;
    if (dry_run) return out;
    const auto id = db.new_id<ListBatchId>();
    db.run(insert_list_batch, id, name, who.account, list.domains, db.now());
    keep_lines(db, id, list.lines);
    out.id = id;
    log(db, who, "apply", subject(id, name), base::json::to_string(out));
    db.emit(ListGoesOn{id, ListStep::applying});
    return out;
}

const db::Command mark_list_undone{
    "mark_list_undone", "UPDATE list_batches SET undone_at = $2, finished_at = NULL WHERE id = $1"
};

UndoneList undo_list(
    db::Write& db, const Actor& who, ListBatchId id, const instance::EndedRules& ending, bool dry_run
) {
    accounts::require(who, permission::manage_federation);
    const auto batch = list_batch(db, id);
    if (batch.is_undone()) throw base::Invalid("The list is undone already");
    if (batch.forgotten || batch.created_at < oldest_kept(db))
        throw base::Invalid("A list can be undone for 30 days");
    UndoneList out{id, ending.removed, ending.kept, batch.following, batch.followers};
    if (dry_run) return out;
    db.run(mark_list_undone, id, db.now());
    drop_lines(db, id);
    log(db, who, "undo", subject(id, batch.name), base::json::to_string(out));
    begin_step(db, id, ListStep::lifting);
    return out;
}

std::string except_from_lists(
    db::Write& db, const Actor& who, const std::string& given, const std::string& comment
) {
    accounts::require(who, permission::manage_federation);
    if (comment.size() > 1000) throw base::Invalid("Validation failed: Comment is too long");
    auto domain = instance::add_list_exception(db, given, comment);
    log(db, who, "create", {"ListException", 0, domain});
    return domain;
}

void end_exception(db::Write& db, const Actor& who, const std::string& domain) {
    accounts::require(who, permission::manage_federation);
    instance::remove_list_exception(db, domain);
    log(db, who, "destroy", {"ListException", 0, domain});
}

// ---- for the job ----

const db::Command count_list_done{
    "count_list_done",
    R"(UPDATE list_batches SET accounts = accounts + $2, following = following + $3, followers = followers + $4,
           restored = restored + $5 WHERE id = $1)"
};
const db::Command set_list_step{
    "set_list_step", "UPDATE list_batches SET step = $2, finished_at = $3 WHERE id = $1"
};

void count_list(db::Write& db, ListBatchId id, const ListCounts& n) {
    if (n.accounts + n.following + n.followers + n.restored > 0)
        db.run(count_list_done, id, n.accounts, n.following, n.followers, n.restored);
}

void begin_step(db::Write& db, ListBatchId id, ListStep step) {
    const bool is_last = step == ListStep::applied || step == ListStep::undone;
    db.run(set_list_step, id, step, is_last ? std::optional(db.now()) : std::nullopt);
    if (!is_last) db.emit(ListGoesOn{id, step});
}

bool is_at(db::Read& db, const ListGoesOn& e) { return list_batch(db, e.batch).step == e.step; }

// ---- after a month ----

const db::Query<ListBatchId> lists_to_forget{
    "lists_to_forget",
    "SELECT id FROM list_batches WHERE forgotten = FALSE AND created_at < $1 ORDER BY created_at, id LIMIT 10"
};
const db::Command mark_list_forgotten{
    "mark_list_forgotten", "UPDATE list_batches SET forgotten = TRUE WHERE id = $1"
};

void forget_lists(db::Write& db) {
    for (auto id : db.all(lists_to_forget, oldest_kept(db))) {
        const auto step = list_batch(db, id).step;
        if (step != ListStep::applied && step != ListStep::undone) continue;
        db.run(mark_list_forgotten, id);
        db.emit(ListForgetting{id});
    }
}

void continue_forgetting_list(db::Write& db, const ListForgetting& left) {
    if (relationships::forget_list(db, left.batch)) db.emit(left);
}

}  // namespace moderation
