// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/report_admin.hpp"

#include "base/json_read.hpp"
#include "social/moderation/cases/case.hpp"
#include "social/moderation/notices/notice.hpp"
#include "social/moderation/webhooks/webhook.hpp"

#include <algorithm>

namespace moderation {

namespace {

namespace permission = accounts::permission;
using accounts::Actor;

}  // namespace

#define ADMIN_REPORTS                                                                        \
    "SELECT id, account_id, target_id, category, comment, status_ids, rule_ids, forwarded, " \
    "assigned_account_id, action_taken_by_id, action_taken_at, created_at, updated_at FROM reports "
#define DOWN "id < $1 AND id > $2 ORDER BY id DESC LIMIT $3"
#define UP "id < $1 AND id > $2 ORDER BY id LIMIT $3"
#define OF_STATE "($5 = 'all' OR ($5 = 'open') = (action_taken_at IS NULL)) AND "
#define BOTH_WAYS(NAME, WHERE)                                                                     \
    const db::Query<AdminReportRow> NAME##_down{#NAME "_down", ADMIN_REPORTS "WHERE " WHERE DOWN}; \
    const db::Query<AdminReportRow> NAME##_up { #NAME "_up", ADMIN_REPORTS "WHERE " WHERE UP }

BOTH_WAYS(reports_all, "");
BOTH_WAYS(reports_open, "action_taken_at IS NULL AND ");
BOTH_WAYS(reports_resolved, "action_taken_at IS NOT NULL AND ");
BOTH_WAYS(reports_by_account, "account_id = $4 AND " OF_STATE);
// On somebody there may be very many of one state and few of the other.
BOTH_WAYS(reports_on_target, "target_id = $4 AND ");
BOTH_WAYS(open_reports_on_target, "target_id = $4 AND action_taken_at IS NULL AND ");
BOTH_WAYS(resolved_reports_on_target, "target_id = $4 AND action_taken_at IS NOT NULL AND ");
BOTH_WAYS(reports_between, "target_id = $4 AND account_id = $6 AND " OF_STATE);

std::vector<AdminReportRow> admin_reports(db::Read& db, const ReportFilter& filter, const base::Range& r) {
    std::vector<AdminReportRow> found;
    auto read = [&](const auto& down, const auto& up, const auto&... more) {
        found = db.all(r.ascending ? up : down, r.below, r.above, r.limit, more...);
    };
    if (filter.target && filter.account)
        read(reports_between_down, reports_between_up, filter.target, filter.state, filter.account);
    else if (filter.target && filter.state == ReportState::open)
        read(open_reports_on_target_down, open_reports_on_target_up, filter.target);
    else if (filter.target && filter.state == ReportState::resolved)
        read(resolved_reports_on_target_down, resolved_reports_on_target_up, filter.target);
    else if (filter.target) read(reports_on_target_down, reports_on_target_up, filter.target);
    else if (filter.account)
        read(reports_by_account_down, reports_by_account_up, filter.account, filter.state);
    else if (filter.state == ReportState::open) read(reports_open_down, reports_open_up);
    else if (filter.state == ReportState::resolved) read(reports_resolved_down, reports_resolved_up);
    else read(reports_all_down, reports_all_up);
    if (r.ascending) std::ranges::reverse(found);
    return found;
}

const db::Query<std::int64_t> some_reports_open{
    "some_reports_open",
    R"(SELECT count(*) FROM (
           SELECT 1 FROM reports WHERE action_taken_at IS NULL ORDER BY id DESC LIMIT $1) counted)"
};

std::int64_t count_open_reports(db::Read& db, int at_most) { return db.one(some_reports_open, at_most); }

const db::Query<AdminReportRow> admin_report_by_id{"admin_report_by_id", ADMIN_REPORTS "WHERE id = $1"};

const db::Query<AdminReportRow> admin_reports_by_id{
    "admin_reports_by_id", ADMIN_REPORTS "WHERE id IN LIST($1) ORDER BY id DESC"
};

std::vector<AdminReportRow> admin_reports(db::Read& db, const std::vector<ReportId>& ids) {
    if (ids.empty()) return {};
    return db.all(admin_reports_by_id, ids);
}

AdminReportRow admin_report(db::Read& db, ReportId id) { return db.one(admin_report_by_id, id); }

// ---- changes ----

void require_impartial(const Actor& who, AccountId reporter, AccountId target) {
    if (who.account && (who.account == reporter || who.account == target)) throw base::Forbidden();
}

const db::Query<ReportId> open_reports_by_target{
    "open_reports_by_target",
    R"(SELECT id FROM reports WHERE target_id = $1 AND action_taken_at IS NULL AND id <= $2
       ORDER BY id LIMIT $3)"
};

const db::Command resolve_report{
    "resolve_report",
    "UPDATE reports SET action_taken_at = $2, action_taken_by_id = $3, updated_at = $2 WHERE id = $1"
};
const db::Command reopen_report{
    "reopen_report",
    "UPDATE reports SET action_taken_at = NULL, action_taken_by_id = NULL, updated_at = $2 WHERE id = $1"
};
const db::Command assign_report{
    "assign_report", "UPDATE reports SET assigned_account_id = $3, updated_at = $2 WHERE id = $1"
};
const db::Command edit_report{
    "edit_report", "UPDATE reports SET category = $3, rule_ids = $4, updated_at = $2 WHERE id = $1"
};

namespace {

void note(db::Write& db, const Actor& who, ReportId id, std::string_view action) {
    log(db, who, action, {"Report", id.value, "#" + std::to_string(id.value)});
    call_webhooks(db, "report.updated", id.value);
}

AdminReportRow opened(db::Read& db, const Actor& who, ReportId id) {
    accounts::require(who, permission::manage_reports);
    auto report = admin_report(db, id);
    require_impartial(who, {}, report.target_id);
    return report;
}

std::optional<AccountId> known_actor(const Actor& who) {
    return who.account ? std::optional(who.account) : std::nullopt;
}

}  // namespace

namespace {

void resolve(db::Write& db, const Actor& who, AccountId target, const std::vector<ReportId>& ids) {
    if (ids.empty()) return;
    for (auto id : ids) {
        db.run(resolve_report, id, db.now(), known_actor(who));
        note(db, who, id, "resolve");
    }
    decide_notices(db, ids);
    refresh_case(db, who, target);
}

}  // namespace

void resolve(db::Write& db, const Actor& who, ReportId id) {
    resolve(db, who, opened(db, who, id).target_id, {id});
}

void resolve_open(db::Write& db, const Actor& who, AccountId target) {
    ResolvingContinued all{who.account, target, db.new_id<ReportId>()};
    if (db.all(open_reports_by_target, target, all.last, 1).empty()) return;
    accounts::require(who, permission::manage_reports);
    continue_resolving(db, all);
}

void continue_resolving(db::Write& db, const ResolvingContinued& left) {
    constexpr int most_at_once = 250;  // each is some rows of the log besides
    auto ids = db.all(open_reports_by_target, left.target, left.last, most_at_once);
    resolve(db, {left.actor}, left.target, ids);
    if (ids.size() == most_at_once) db.emit(left);
}

void reopen(db::Write& db, const Actor& who, ReportId id) {
    auto target = opened(db, who, id).target_id;
    db.run(reopen_report, id, db.now());
    note(db, who, id, "reopen");
    refresh_case(db, who, target);
}

void assign(db::Write& db, const Actor& who, ReportId id) {
    db.run(assign_report, opened(db, who, id).id, db.now(), known_actor(who));
    note(db, who, id, "assigned_to_self");
}

void unassign(db::Write& db, const Actor& who, ReportId id) {
    accounts::require(who, permission::manage_reports);
    auto report = admin_report(db, id);
    if (report.assigned_account_id != who.account) require_impartial(who, {}, report.target_id);
    db.run(assign_report, id, db.now(), std::nullopt);
    note(db, who, id, "unassigned");
}

namespace {

struct RuleRow {
    RuleId id;
    std::string text, hint;
};
DESCRIBE(RuleRow, id, text, hint)

std::vector<RuleId> rule_ids(const AdminReportRow& row) {
    return row.rule_ids ? base::json::read<std::vector<RuleId>>(*row.rule_ids) : std::vector<RuleId>{};
}

}  // namespace

// rules belongs to instance. Those that were taken down are still what somebody broke.
const db::Query<RuleRow> rules_by_id{
    "rules_by_id", "SELECT id, text, hint FROM rules WHERE id IN LIST($1) ORDER BY position, id"
};

void edit(db::Write& db, const Actor& who, ReportId id, const ReportEdit& given) {
    auto before = opened(db, who, id);
    auto category = given.category.value_or(before.category);
    auto rules = given.rules.value_or(rule_ids(before));
    if (category != Category::violation && !given.rules) rules.clear();
    if (category != Category::violation && !rules.empty())
        throw base::Invalid("Validation failed: Rule ids must be blank");
    if (given.rules && !rules.empty() && db.all(rules_by_id, rules).size() < rules.size())
        throw base::Invalid("Validation failed: Rule ids does not reference valid rules");
    std::optional<std::string> stored;
    if (!rules.empty()) stored = base::json::to_string(rules);
    db.run(edit_report, id, db.now(), category, stored);
    note(db, who, id, "update");
    refresh_case(db, who, before.target_id);
}

// ---- entity ----

namespace {

// Of all that are named by one of these.
std::vector<RuleRow> rules_of(db::Read& db, const std::vector<AdminReportRow>& rows) {
    std::vector<RuleId> ids;
    for (const auto& row : rows)
        for (auto id : rule_ids(row))
            if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    return ids.empty() ? std::vector<RuleRow>{} : db.all(rules_by_id, ids);
}

std::optional<AdminAccount> find(const std::vector<AdminAccount>& known, AccountId id) {
    auto found = std::ranges::find(known, id, &AdminAccount::id);
    return found == known.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

std::vector<AdminReport> entities(
    db::Read& db, const std::vector<AdminReportRow>& rows, AccountId moderator
) {
    std::vector<AccountId> people;
    for (const auto& row : rows)
        for (auto id : {row.account_id, row.target_id, row.assigned_account_id, row.action_taken_by_id})
            if (id && std::ranges::find(people, id) == people.end()) people.push_back(id);
    auto known = admin_accounts(db, people);
    auto rules = rules_of(db, rows);
    auto statuses = reported_statuses(db, rows, moderator);
    std::vector<AdminReport> out;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& row = rows[i];
        AdminReport one{
            row.id, row.action_taken_at.has_value(), row.action_taken_at, row.category, row.comment
        };
        one.forwarded = row.forwarded;
        one.created_at = row.created_at;
        one.updated_at = row.updated_at;
        one.account = find(known, row.account_id);
        one.target_account = find(known, row.target_id);
        one.assigned_account = find(known, row.assigned_account_id);
        one.action_taken_by_account = find(known, row.action_taken_by_id);
        one.statuses = {std::move(statuses[i])};
        const auto named = rule_ids(row);
        for (const auto& rule : rules)
            if (std::ranges::find(named, rule.id) != named.end())
                one.rules.push_back({rule.id, rule.text, rule.hint, {"{}"}});
        out.push_back(std::move(one));
    }
    return out;
}

}  // namespace moderation
