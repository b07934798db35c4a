// SPDX-License-Identifier: AGPL-3.0-or-later
// Staff's work on reports. Every change is logged.
#pragma once
#include "base/page.hpp"
#include "social/instance/about.hpp"
#include "social/moderation/admin_account.hpp"
#include "social/moderation/audit.hpp"
#include "social/moderation/report.hpp"

namespace moderation {

struct AdminReportRow {
    ReportId id;
    AccountId account_id, target_id;
    Category category = Category::other;
    std::string comment, status_ids;  // JSON
    std::optional<std::string> rule_ids;
    bool forwarded = false;
    AccountId assigned_account_id, action_taken_by_id;
    std::optional<Time> action_taken_at;
    Time created_at, updated_at;
};
DESCRIBE(
    AdminReportRow, id, account_id, target_id, category, comment, status_ids, rule_ids, forwarded,
    assigned_account_id, action_taken_by_id, action_taken_at, created_at, updated_at
)

BOOST_DEFINE_ENUM_CLASS(ReportState, open, resolved, all)
struct ReportFilter {
    ReportState state = ReportState::open;
    AccountId account, target;  // 0: anybody
};
std::vector<AdminReportRow>
admin_reports(db::Read&, const ReportFilter&, const base::Range&);                   // newest first
std::vector<AdminReportRow> admin_reports(db::Read&, const std::vector<ReportId>&);  // newest first
std::int64_t count_open_reports(db::Read&, int at_most);
AdminReportRow admin_report(db::Read&, ReportId);  // throws NotFound

// Throws Forbidden to the reporter and to the reported account, except for the operator.
void require_impartial(const accounts::Actor&, AccountId reporter, AccountId target);
// Each throws NotFound, and Forbidden without manage_reports or to the reported account. The reporter may do
// all of it here, as apps written for Mastodon expect, but not in the report's case.
void resolve(db::Write&, const accounts::Actor&, ReportId);
// All that are open on one account, in chunks if there are many; without reports made meanwhile.
void resolve_open(db::Write&, const accounts::Actor&, AccountId target);
struct ResolvingContinued {
    AccountId actor, target;
    ReportId last;
};
DESCRIBE(ResolvingContinued, actor, target, last)
void continue_resolving(db::Write&, const ResolvingContinued&);  // reaction
void reopen(db::Write&, const accounts::Actor&, ReportId);
void assign(db::Write&, const accounts::Actor&, ReportId);    // to who asks
void unassign(db::Write&, const accounts::Actor&, ReportId);  // always allowed to the assignee
struct ReportEdit {
    std::optional<Category> category;
    std::optional<std::vector<RuleId>> rules;
};
void edit(db::Write&, const accounts::Actor&, ReportId, const ReportEdit&);  // also Invalid

struct AdminReport {
    static constexpr std::string_view entity = "Admin::Report";
    static constexpr base::json::RawMember raw_members[] = {{"statuses", "Status[]"}};
    ReportId id;
    bool action_taken = false;
    std::optional<Time> action_taken_at;
    Category category = Category::other;
    std::string comment;
    bool forwarded = false;
    Time created_at, updated_at;
    std::optional<AdminAccount> account, target_account, assigned_account, action_taken_by_account;
    base::json::Raw statuses;
    std::vector<instance::Rule> rules;
};
DESCRIBE(
    AdminReport, id, action_taken, action_taken_at, category, comment, forwarded, created_at, updated_at,
    account, target_account, assigned_account, action_taken_by_account, statuses, rules
)
// The posts of each as a JSON array, newest first; for deleted ones the evidence.
std::vector<std::string> reported_statuses(
    db::Read&, const std::vector<AdminReportRow>&, AccountId moderator
);
// In the given order, with the reported posts whatever their visibility, even deleted ones.
std::vector<AdminReport> entities(db::Read&, const std::vector<AdminReportRow>&, AccountId moderator);

}  // namespace moderation
