// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/cases/case.hpp"

#include "base/json_read.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace moderation {

namespace {

namespace permission = accounts::permission;
using accounts::Actor;

// More than that tell nothing new.
constexpr int most_reports = 200;
constexpr std::int64_t hour_ms = 3'600'000;

struct OpenReport {
    ReportId id;
    AccountId account_id;
    Category category = Category::other;
};
DESCRIBE(OpenReport, id, account_id, category)

std::int64_t weight(Category category) {
    switch (category) {
        case Category::legal: return 100;
        case Category::violation: return 50;
        case Category::spam: return 30;
        case Category::other: return 10;
    }
    return 0;
}

}  // namespace

#define CASES                                                                              \
    "SELECT id, account_id, open, score, reports, categories, claimed_by, claimed_until, " \
    "snoozed_until, escalated, opened_at, updated_at, closed_at, closed_by FROM cases "
#define BEHIND "(rank, id) < ($1, $2) ORDER BY rank DESC, id DESC LIMIT $3"

const db::Query<Case> case_by_id{"case_by_id", CASES "WHERE id = $1"};
const db::Query<Case> open_case_on{"open_case_on", CASES "WHERE account_id = $1 AND open = TRUE"};
const db::Query<Case> cases_waiting{
    "cases_waiting",
    CASES "WHERE open = TRUE AND snoozed_until <= $4 AND (claimed_until <= $4 OR claimed_by = $5) AND " BEHIND
};
const db::Query<std::int64_t> some_cases_waiting{
    "some_cases_waiting",
    R"(SELECT count(*) FROM (
           SELECT 1 FROM cases WHERE open = TRUE AND snoozed_until <= $1 AND (claimed_until <= $1 OR claimed_by = $2)
           ORDER BY rank DESC, id DESC LIMIT $3) counted)"
};
const db::Query<Case> cases_of_claimant{
    "cases_of_claimant",
    CASES "WHERE open = TRUE AND claimed_by <> 0 AND claimed_by = $5 AND claimed_until > $4 AND " BEHIND
};
const db::Query<Case> cases_escalated{
    "cases_escalated", CASES "WHERE open = TRUE AND escalated = TRUE AND " BEHIND
};
const db::Query<Case> cases_snoozed{
    "cases_snoozed", CASES "WHERE open = TRUE AND snoozed_until > 0 AND snoozed_until > $4 AND " BEHIND
};
const db::Query<Case> cases_closed{
    "cases_closed", CASES "WHERE open = FALSE AND id < $1 ORDER BY id DESC LIMIT $2"
};
const db::Query<std::int64_t> rank_of_case{"rank_of_case", "SELECT rank FROM cases WHERE id = $1"};

std::vector<Case> cases(db::Read& db, CaseQueue queue, AccountId who, CaseId after, int limit) {
    constexpr auto first = std::numeric_limits<std::int64_t>::max();
    auto id = after ? after : CaseId{first};
    auto rank = after ? db.one(rank_of_case, after) : first;
    switch (queue) {
        case CaseQueue::waiting: return db.all(cases_waiting, rank, id, limit, db.now(), who);
        case CaseQueue::mine: return db.all(cases_of_claimant, rank, id, limit, db.now(), who);
        case CaseQueue::escalated: return db.all(cases_escalated, rank, id, limit);
        case CaseQueue::snoozed: return db.all(cases_snoozed, rank, id, limit, db.now());
        case CaseQueue::closed: return db.all(cases_closed, id, limit);
    }
    return {};
}

std::int64_t count_waiting_cases(db::Read& db, AccountId who, int at_most) {
    return db.one(some_cases_waiting, db.now(), who, at_most);
}

Case find_case(db::Read& db, CaseId id) { return db.one(case_by_id, id); }

const db::Query<OpenReport> open_reports_of_case{
    "open_reports_of_case",
    R"(SELECT id, account_id, category FROM reports WHERE target_id = $1 AND action_taken_at IS NULL
       ORDER BY id DESC LIMIT $2)"
};
const db::Query<ReportId> closed_reports_of_case{
    "closed_reports_of_case",
    R"(SELECT id FROM reports WHERE target_id = $1 AND action_taken_at >= $2 AND action_taken_at <= $3
       ORDER BY id DESC LIMIT $4)"
};
// accounts belongs to accounts.
const db::Query<std::int64_t> followers_of_reported{
    "followers_of_reported", "SELECT followers_count FROM accounts WHERE id = $1"
};

std::vector<AdminReportRow> reports_of(db::Read& db, const Case& one) {
    constexpr int most_shown = 40;
    std::vector<ReportId> ids;
    if (one.open)
        for (const auto& report : db.all(open_reports_of_case, one.account_id, most_shown))
            ids.push_back(report.id);
    else
        ids = db.all(
            closed_reports_of_case,
            one.account_id,
            one.opened_at,
            one.closed_at.value_or(one.opened_at),
            most_shown
        );
    return admin_reports(db, ids);
}

namespace {

CaseScore score_for(db::Read& db, AccountId account, const std::vector<OpenReport>& open) {
    constexpr std::int64_t of_each_reporter = 5, most_by_reporters = 50, followers_of_a_point = 100,
                           most_by_reach = 20;
    CaseScore out;
    std::set<AccountId> reporters;
    for (const auto& report : open) {
        out.category = std::max(out.category, weight(report.category));
        reporters.insert(report.account_id);
    }
    auto more = std::ssize(reporters) - 1;
    out.reporters = std::clamp<std::int64_t>(more * of_each_reporter, 0, most_by_reporters);
    auto followers = db.maybe(followers_of_reported, account).value_or(0);
    out.reach = std::min(followers / followers_of_a_point, most_by_reach);
    return out;
}

std::vector<std::string> categories_of(const std::vector<OpenReport>& open) {
    std::set<std::string> out;
    for (const auto& report : open) out.emplace(base::word(report.category));
    return {out.begin(), out.end()};
}

}  // namespace

CaseScore score_of(db::Read& db, const Case& one) {
    return score_for(db, one.account_id, db.all(open_reports_of_case, one.account_id, most_reports));
}

// ---- what becomes of it ----

const db::Command insert_case{
    "insert_case",
    R"(INSERT INTO cases (id, account_id, score, rank, reports, categories, opened_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $7))"
};
const db::Command rescore_case{
    "rescore_case",
    R"(UPDATE cases SET score = $2, rank = $3, reports = $4, categories = $5, updated_at = $6,
           snoozed_until = CASE WHEN $4 > reports THEN 0 ELSE snoozed_until END
       WHERE id = $1)"
};
const db::Command close_case{
    "close_case",
    "UPDATE cases SET open = FALSE, closed_at = $2, updated_at = $2, closed_by = $3 WHERE id = $1 AND open = "
    "TRUE"
};
const db::Command claim_case{
    "claim_case", "UPDATE cases SET claimed_by = $2, claimed_until = $3, updated_at = $4 WHERE id = $1"
};
const db::Command escalate_case{
    "escalate_case", "UPDATE cases SET escalated = $2, updated_at = $3 WHERE id = $1"
};
const db::Command snooze_case{
    "snooze_case", "UPDATE cases SET snoozed_until = $2, updated_at = $3 WHERE id = $1"
};

void refresh_case(db::Write& db, const Actor& who, AccountId account) {
    auto known = db.maybe(open_case_on, account);
    auto open = db.all(open_reports_of_case, account, most_reports);
    if (open.empty()) {
        if (known) db.run(close_case, known->id, db.now(), who.account);
        return;
    }
    auto score = score_for(db, account, open).sum();
    auto since = known ? known->opened_at : db.now();
    auto rank = score - since.ms / hour_ms;
    auto categories = base::json::to_string(categories_of(open));
    auto reports = std::ssize(open);
    if (known) db.run(rescore_case, known->id, score, rank, reports, categories, db.now());
    else db.run(insert_case, db.new_id<CaseId>(), account, score, rank, reports, categories, since);
}

void join_case(db::Write& db, const Reported& e) { refresh_case(db, accounts::the_operator(), e.target); }

namespace {

void note_on(db::Write& db, const Actor& who, std::string_view action, const Case& one) {
    log(db, who, action, {"Case", one.id.value, name_of(db, one.account_id)});
}

// One that is open, by who may work on it.
Case taken_up(db::Read& db, const Actor& who, CaseId id) {
    accounts::require(who, permission::manage_reports);
    auto one = find_case(db, id);
    if (!one.open) throw base::Invalid("This case is closed");
    return one;
}

void require_free(db::Read& db, const Actor& who, const Case& one) {
    auto by = one.claimant(db.now());
    if (by && by != who.account) throw base::Conflict("This case is claimed by " + name_of(db, by));
}

// Whoever works on what they have claimed keeps it.
void renew(db::Write& db, const Actor& who, const Case& one) {
    if (who.account && one.claimant(db.now()) == who.account)
        db.run(claim_case, one.id, who.account, db.now().plus_seconds(claim_lasts_seconds), db.now());
}

void require_impartial(db::Read& db, const Actor& who, const Case& one) {
    moderation::require_impartial(who, {}, one.account_id);
    for (const auto& report : db.all(open_reports_of_case, one.account_id, most_reports))
        moderation::require_impartial(who, report.account_id, one.account_id);
}

}  // namespace

void claim(db::Write& db, const Actor& who, CaseId id) {
    auto one = taken_up(db, who, id);
    require_free(db, who, one);
    require_impartial(db, who, one);
    bool anew = one.claimant(db.now()) != who.account;
    db.run(claim_case, id, who.account, db.now().plus_seconds(claim_lasts_seconds), db.now());
    if (anew) note_on(db, who, "claim", one);
}

void release(db::Write& db, const Actor& who, CaseId id) {
    auto one = taken_up(db, who, id);
    auto by = one.claimant(db.now());
    if (!by) return;
    if (by != who.account) accounts::require_above(db, who, by);
    db.run(claim_case, id, AccountId{}, Time{}, db.now());
    note_on(db, who, "release", one);
}

void escalate(db::Write& db, const Actor& who, CaseId id, bool escalated) {
    auto one = taken_up(db, who, id);
    if (one.escalated == escalated) return;
    if (!escalated) require_impartial(db, who, one);  // anybody may ask others to look
    db.run(escalate_case, id, escalated, db.now());
    renew(db, who, one);
    note_on(db, who, escalated ? "escalate" : "deescalate", one);
}

void snooze(db::Write& db, const Actor& who, CaseId id, std::int64_t hours) {
    constexpr std::int64_t longest = 30 * 24, seconds_of_an_hour = 3600;
    if (hours < 0 || hours > longest) throw base::Invalid("Validation failed: Hours is out of range");
    auto one = taken_up(db, who, id);
    require_free(db, who, one);
    require_impartial(db, who, one);
    auto until = hours > 0 ? db.now().plus_seconds(hours * seconds_of_an_hour) : Time{};
    db.run(snooze_case, id, until, db.now());
    note_on(db, who, "snooze", one);
}

StrikeId act_on(db::Write& db, const Actor& who, CaseId id, const AccountAction& action) {
    auto one = taken_up(db, who, id);
    require_impartial(db, who, one);
    renew(db, who, one);
    auto made = act(db, who, one.account_id, action);
    if (action.type == StrikeAction::none) resolve_open(db, who, one.account_id);
    return made;
}

namespace {

// A post that several reports name is acted on once, with the first; for the others it counts as done. True if anything
// was left to do.
bool act_on_posts_of(
    db::Write& db, const Actor& who, const AdminReportRow& report, PostsAction& action,
    std::set<StatusId>& seen
) {
    const auto named = base::json::read<std::vector<StatusId>>(report.status_ids);
    action.statuses.clear();
    for (auto post : named)
        if (!seen.contains(post)) action.statuses.push_back(post);
    if (action.statuses.empty()) {
        if (!named.empty()) resolve(db, who, report.id);
        return false;
    }
    act_on_posts(db, who, report.id, action);
    seen.insert(action.statuses.begin(), action.statuses.end());
    return true;
}

}  // namespace

void act_on_posts(db::Write& db, const Actor& who, CaseId id, PostsAction action) {
    auto one = taken_up(db, who, id);
    require_impartial(db, who, one);
    accounts::require_above(db, who, one.account_id);
    renew(db, who, one);
    std::set<StatusId> seen;
    bool any = false;
    std::string nothing_left = "None of the reported posts is left";
    for (const auto& report : reports_of(db, one)) {
        try {
            any |= act_on_posts_of(db, who, report, action, seen);
        } catch (const base::Invalid& refused) {  // nothing happened to this one
            nothing_left = refused.what();
        }
        action.tell = action.tell && !any;  // in one letter
    }
    if (!any) throw base::Invalid(nothing_left);
}

void close(db::Write& db, const Actor& who, CaseId id) {
    auto one = taken_up(db, who, id);
    require_impartial(db, who, one);
    resolve_open(db, who, one.account_id);
}

}  // namespace moderation
