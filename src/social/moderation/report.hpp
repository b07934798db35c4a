// SPDX-License-Identifier: AGPL-3.0-or-later
// Reports: somebody tells the moderators of an account, perhaps with statuses and the rules they break. What is
// reported stays readable for moderators when it is deleted afterwards.
#pragma once
#include "base/ask.hpp"
#include "base/json.hpp"
#include "social/collections/collection.hpp"
#include "social/statuses/core/visibility.hpp"

namespace moderation {

using base::AccountId;
using base::RuleId;
using base::StatusId;
using base::Time;
using ReportId = base::Id<struct ReportTag>;
using collections::CollectionId;

BOOST_DEFINE_ENUM_CLASS(Category, other, spam, legal, violation)
std::string_view name(Category);  // for people

// What a reporter hands in. Named rules make any category a violation.
struct Complaint {
    AccountId target;
    Category category = Category::other;
    std::string comment;
    std::vector<StatusId> statuses;
    std::vector<CollectionId> collections;
    std::vector<RuleId> rules;
    bool forward = false;                 // to the server of the target, if that is another one
    std::vector<std::string> forward_to;  // the servers it may go to; none named: the target's
};

struct Report {
    ReportId id;
    AccountId account_id, target_id;
    Category category = Category::other;
    std::string comment;
    std::string status_ids;  // JSON, as are the other lists
    std::optional<std::string> rule_ids;
    std::string collection_ids;
    bool forwarded = false;
    std::optional<Time> action_taken_at;
    Time created_at;
};
DESCRIBE(
    Report, id, account_id, target_id, category, comment, status_ids, rule_ids, collection_ids, forwarded,
    action_taken_at, created_at
)

struct Reported {
    ReportId report;
    AccountId account, target;
};
DESCRIBE(Reported, report, account, target)

// Throws NotFound (the target, or a status or collection that is not theirs or hidden from the reporter), Invalid.
// A reporter of another server speaks for all who are there.
ReportId report(db::Write&, const statuses::Audience& reporter, const Complaint&);

// Those of this author that somebody of that server may read.
std::vector<StatusId> visible_to_server(
    db::Read&, const std::vector<StatusId>&, AccountId author, const std::string& domain
);

// In whose name the program itself reports, and whoever has no account: accounts of this site that nobody can use.
AccountId automatic_reporter(db::Write&);
AccountId stranger_reporter(db::Write&);

constexpr std::int64_t most_reports_a_day = 400;
std::int64_t reports_today(db::Read&, AccountId reporter);

std::vector<Report> reports(db::Read&, const std::vector<ReportId>&);  // in no order

// The mail to a moderator about a new report.
struct ReportMailWanted {
    ReportId report;
    base::UserId user;
};
DESCRIBE(ReportMailWanted, report, user)

// Reactions
void notify_moderators(db::Write&, const Reported&);

// Reports that their authors want other servers to hear of. The server speaks, not the person.

// Reaction: to the server of who is reported, and to those of the people whom the reported statuses answered, as far as
// the reporter named them.
void forward_report(db::Write&, const Reported&);

void mail_report(const base::Ask&, db::Read&, const ReportMailWanted&);

}  // namespace moderation
