// SPDX-License-Identifier: AGPL-3.0-or-later
// What staff does about one account: each act has its permission, respects who stands above whom, and is written down.
#pragma once
#include "social/moderation/audit.hpp"
#include "social/moderation/report_admin.hpp"
#include "social/moderation/strike.hpp"
#include "social/moderation/team.hpp"

namespace moderation {

struct AccountAction {
    StrikeAction type = StrikeAction::none;  // none, disable, sensitive, silence or suspend
    std::optional<ReportId> report;
    std::optional<PresetId> preset;  // its text stands before the other one
    std::string text;
    bool tell = true;             // its owner
    bool closes_reports = true;   // on the account, as what was done answers them
    std::string details;          // JSON, for the log
    bool automated = false;       // a rule decides
    std::vector<StatusId> posts;  // what it is about, where no report says
};
// The type by its word. Throws Invalid.
StrikeAction action_named(const std::string&);
// The mark, the strike, and the end of the reports on the account. Throws NotFound, Forbidden, Invalid: nothing happened.
StrikeId act(db::Write&, const accounts::Actor&, AccountId, const AccountAction&);

// ---- the other way; each throws NotFound, and Forbidden where there is nothing to be undone ----
void approve(db::Write&, const accounts::Actor&, AccountId);
void reject(db::Write&, const accounts::Actor&, AccountId);
void enable(db::Write&, const accounts::Actor&, AccountId);
void unsensitive(db::Write&, const accounts::Actor&, AccountId);
void unsilence(db::Write&, const accounts::Actor&, AccountId);
void unsuspend(db::Write&, const accounts::Actor&, AccountId);
void destroy(db::Write&, const accounts::Actor&, AccountId);  // deletes the data of a suspended account

// What the strike did, undone without asking who may: an appeal was approved.
void take_back(db::Write&, const Strike&);

std::string name_of(db::Read&, AccountId);  // as the log has it; empty when it is gone

// ---- for acts of every kind ----

// A text written before, and what is said besides.
std::string words_to_owner(db::Read&, const std::optional<PresetId>&, const std::string& words);
// Why it is done: what the report says now.
void answer(Strike&, const AdminReportRow&);

}  // namespace moderation
