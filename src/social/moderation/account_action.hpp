// SPDX-License-Identifier: AGPL-3.0-or-later
// Moderation of one account: each act needs a permission, respects the rank of roles, and is logged.
#pragma once
#include "social/moderation/audit.hpp"
#include "social/moderation/report_admin.hpp"
#include "social/moderation/strike.hpp"
#include "social/moderation/team.hpp"

namespace moderation {

struct AccountAction {
    StrikeAction type = StrikeAction::none;  // none, disable, sensitive, silence or suspend
    std::optional<ReportId> report;
    std::optional<PresetId> preset;  // its text precedes the other one
    std::string text;
    bool tell = true;             // its owner
    bool closes_reports = true;   // the open ones on the account
    std::string details;          // JSON, for the log
    bool automated = false;       // a rule decides
    std::vector<StatusId> posts;  // what it is about, where no report says
};
// The type with this name. Throws Invalid.
StrikeAction action_named(const std::string&);
// Restricts the account, records the strike and resolves the reports on the account. Throws NotFound,
// Forbidden, Invalid before any change.
StrikeId act(db::Write&, const accounts::Actor&, AccountId, const AccountAction&);

// ---- undoing; each throws NotFound, and Forbidden when there is nothing to undo ----
void approve(db::Write&, const accounts::Actor&, AccountId);
void reject(db::Write&, const accounts::Actor&, AccountId);
void enable(db::Write&, const accounts::Actor&, AccountId);
void unsensitive(db::Write&, const accounts::Actor&, AccountId);
void unsilence(db::Write&, const accounts::Actor&, AccountId);
void unsuspend(db::Write&, const accounts::Actor&, AccountId);
void destroy(db::Write&, const accounts::Actor&, AccountId);  // deletes the data of a suspended account

// Undoes a strike without checking permissions: its appeal was approved.
void take_back(db::Write&, const Strike&);

std::string name_of(db::Read&, AccountId);  // as in the audit log; empty when it is deleted

// ---- for acts of every kind ----

// A text written before, and what is said besides.
std::string words_to_owner(db::Read&, const std::optional<PresetId>&, const std::string& words);
// Why it is done: what the report says now.
void answer(Strike&, const AdminReportRow&);

}  // namespace moderation
