// SPDX-License-Identifier: AGPL-3.0-or-later
// Cases: all open reports on an account are one case, ordered by severity and waiting time. A moderator
// claims a case, so that two do not work on the same; a claim without activity expires.
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

// The parts of its score.
struct CaseScore {
    std::int64_t category = 0, reporters = 0, reach = 0;
    std::int64_t sum() const { return category + reporters + reach; }
};
DESCRIBE(CaseScore, category, reporters, reach)
CaseScore score_of(db::Read&, const Case&);

BOOST_DEFINE_ENUM_CLASS(CaseQueue, waiting, mine, escalated, snoozed, closed)
// The most urgent first, closed ones newest first; those behind `after`, if given. Waiting: neither claimed
// by somebody else nor snoozed.
std::vector<Case> cases(db::Read&, CaseQueue, AccountId who, CaseId after, int limit);
// The number of waiting ones, counted up to a limit, as it is only shown.
std::int64_t count_waiting_cases(db::Read&, AccountId who, int at_most);
Case find_case(db::Read&, CaseId);  // throws NotFound
// The newest reports of the case.
std::vector<AdminReportRow> reports_of(db::Read&, const Case&);

constexpr std::int64_t claim_lasts_seconds = 30 * 60;

// Each needs manage_reports. Throw NotFound, Forbidden and Invalid (it is closed). Claiming and snoozing
// throw Conflict when somebody else has claimed it; the other acts are done regardless.
void claim(db::Write&, const accounts::Actor&, CaseId);
void release(db::Write&, const accounts::Actor&, CaseId);  // also the claim of somebody with a lower role
void escalate(db::Write&, const accounts::Actor&, CaseId, bool escalated);
void snooze(db::Write&, const accounts::Actor&, CaseId, std::int64_t hours);  // 0: no more
// Acts on the account and resolves all of its reports. Forbidden to those who reported, or were reported.
StrikeId act_on(db::Write&, const accounts::Actor&, CaseId, const AccountAction&);
// Acts on the posts in its open reports, as many as reports_of() returns, each post once. Those reports are
// resolved, others stay open. The author gets one notification.
void act_on_posts(db::Write&, const accounts::Actor&, CaseId, PostsAction);
void close(db::Write&, const accounts::Actor&, CaseId);  // without an act

// The open reports on an account have changed.
void refresh_case(db::Write&, const accounts::Actor&, AccountId);
void join_case(db::Write&, const Reported&);  // reaction

}  // namespace moderation
