// SPDX-License-Identifier: AGPL-3.0-or-later
// Cases: what the team works on. All open reports on an account are one case, in the order of how much it matters and how
// long it waits. Whoever takes it claims it, so that two people do not do the same; a claim lapses where nothing is done.
#pragma once
#include "social/moderation/posts/post_action.hpp"
#include "social/moderation/report_admin.hpp"

namespace moderation {

using CaseId = base::Id<struct CaseTag>;

struct Case {
    CaseId id;
    AccountId account_id;
    bool open = true;
    std::int64_t score = 0, reports = 0;
    std::string categories;  // JSON
    AccountId claimed_by;
    Time claimed_until, snoozed_until;
    bool escalated = false;
    Time opened_at, updated_at;
    std::optional<Time> closed_at;
    AccountId closed_by;

    AccountId claimant(Time now) const { return claimed_until > now ? claimed_by : AccountId{}; }
};
DESCRIBE(
    Case, id, account_id, open, score, reports, categories, claimed_by, claimed_until, snoozed_until,
    escalated, opened_at, updated_at, closed_at, closed_by
)

// Why it stands where it does.
struct CaseScore {
    std::int64_t category = 0, reporters = 0, reach = 0;
    std::int64_t sum() const { return category + reporters + reach; }
};
DESCRIBE(CaseScore, category, reporters, reach)
CaseScore score_of(db::Read&, const Case&);

BOOST_DEFINE_ENUM_CLASS(CaseQueue, waiting, mine, escalated, snoozed, closed)
// The most urgent first, of closed ones the newest; those behind `after`, where that is given. Waiting: neither claimed by
// somebody else nor snoozed.
std::vector<Case> cases(db::Read&, CaseQueue, AccountId who, CaseId after, int limit);
// Of those that wait, for a page that says how many: counted no further than that.
std::int64_t count_waiting_cases(db::Read&, AccountId who, int at_most);
Case find_case(db::Read&, CaseId);  // throws NotFound
// The newest of those that belong to it.
std::vector<AdminReportRow> reports_of(db::Read&, const Case&);

constexpr std::int64_t claim_lasts_seconds = 30 * 60;

// Each needs manage_reports. Throw NotFound, Forbidden and Invalid (it is closed). Claiming and snoozing throw Conflict where
// somebody else has claimed it; all else is done all the same, and seen.
void claim(db::Write&, const accounts::Actor&, CaseId);
void release(db::Write&, const accounts::Actor&, CaseId);  // also of somebody who stands below
void escalate(db::Write&, const accounts::Actor&, CaseId, bool escalated);
void snooze(db::Write&, const accounts::Actor&, CaseId, std::int64_t hours);  // 0: no more
// What is done about the account answers all of its reports. Not for who reported, or was reported.
StrikeId act_on(db::Write&, const accounts::Actor&, CaseId, const AccountAction&);
// What is done about the posts that its open reports name, as many as reports_of() shows, each post once. Those reports end, others
// stay. Who wrote them is told once.
void act_on_posts(db::Write&, const accounts::Actor&, CaseId, PostsAction);
void close(db::Write&, const accounts::Actor&, CaseId);  // nothing is to be done

// What of the reports on an account is open has changed.
void refresh_case(db::Write&, const accounts::Actor&, AccountId);
void join_case(db::Write&, const Reported&);  // reaction

}  // namespace moderation
