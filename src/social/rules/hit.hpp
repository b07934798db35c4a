// SPDX-License-Identifier: AGPL-3.0-or-later
// What rules found and did: kept for 90 days for review and undoing.
#pragma once
#include "base/page.hpp"
#include "jobs/reactions.hpp"
#include "social/moderation/strike.hpp"
#include "social/rules/rule.hpp"

namespace rules {

using HitId = base::Id<struct RuleHitTag>;

struct Hit {
    HitId id;
    RuleId rule_id;
    std::int64_t version = 0;
    StatusId status_id;
    AccountId account_id;
    bool acted = false, refused = false, was_sensitive = false, was_public = false;
    std::string actions, matched;
    moderation::StrikeId strike_id;
    moderation::ReportId report_id;
    statuses::HeldId held_id;
    Time created_at;
    std::optional<Time> undone_at;
};
DESCRIBE(
    Hit, id, rule_id, version, status_id, account_id, acted, refused, was_sensitive, was_public, actions,
    matched, strike_id, report_id, held_id, created_at, undone_at
)

std::vector<Hit> hits(db::Read&, RuleId, const base::Range&);  // newest first; of rule 0: of all
constexpr std::int64_t hits_kept_seconds = 90 * 86'400;

// Of a rule, in the last 24 hours.
struct HitCount {
    RuleId rule_id;
    std::int64_t hits = 0;
};
DESCRIBE(HitCount, rule_id, hits)
std::vector<HitCount> hits_today(db::Read&);

// Event: acts of rules that are not about the post itself are done after it is stored.
struct HitsToAct {
    std::vector<HitId> hits;
};
DESCRIBE(HitsToAct, hits)

struct Undone {
    std::int64_t hits = 0, lost = 0;  // lost: refused posts, which cannot be restored
};
DESCRIBE(Undone, hits, lost)
// Undoes what a rule did since then, in chunks in the background.
Undone undo_since(db::Write&, const accounts::Actor&, RuleId, Time since, bool dry_run);
struct UndoingContinued {
    RuleId rule;
    HitId after, until;
};
DESCRIBE(UndoingContinued, rule, after, until)

// Reactions
void keep_hits(db::Write&, const statuses::Judged&);
void act_on_hits(db::Write&, const HitsToAct&);
void continue_undoing(db::Write&, const UndoingContinued&);
void take_back_appealed(db::Write&, const moderation::AppealDecided&);  // what rules did to a post

// A held post is published: now its author is told what rules covered in it.
void tell_of_released(db::Write&, statuses::HeldId);

void purge_hits(db::Write&);  // periodic

}  // namespace rules
