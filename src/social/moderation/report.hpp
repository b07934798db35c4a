// SPDX-License-Identifier: AGPL-3.0-or-later
// Reports of accounts to the moderators, optionally with statuses and the rules they break. Reported content
// stays readable for moderators when it is deleted afterwards.
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

// The submitted report. If rules are named, any category becomes a violation.
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

// Throws NotFound (the target, or a status or collection that is not theirs or hidden from the reporter),
// Invalid. A remote reporter may report whatever anybody on its server can see.
ReportId report(db::Write&, const statuses::Audience& reporter, const Complaint&);

// Those of this author that some account on that server may see.
std::vector<StatusId> visible_to_server(
    db::Read&, const std::vector<StatusId>&, AccountId author, const std::string& domain
);

// The accounts used for automatic reports and for reports by people without an account: local accounts that
// nobody can use.
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

// Forwarding of reports to other servers, sent by the server's own actor and not by the reporter.

// Reaction: to the target's server, and to those of the accounts that the reported statuses reply to, as far
// as the reporter chose them.
void forward_report(db::Write&, const Reported&);

void mail_report(const base::Ask&, db::Read&, const ReportMailWanted&);

}  // namespace moderation
