// SPDX-License-Identifier: AGPL-3.0-or-later
// What a rule would have done: one version is tested against the posts of the last days, on a reader, in
// ranges of ids of some milliseconds each. It changes nothing.
#pragma once
#include "jobs/reactions.hpp"
#include "social/rules/program.hpp"

namespace rules {

using RehearsalId = base::Id<struct RehearsalTag>;
BOOST_DEFINE_ENUM_CLASS(RehearsalState, running, done, cancelled)

struct Sample {
    StatusId status;
    AccountId account;
    std::string matched;  // JSON
};
DESCRIBE(Sample, status, account, matched)

// The result so far. Numbers of matching posts by day, author and server.
struct RehearsalResult {
    std::int64_t posts = 0, hits = 0, local_hits = 0;
    std::map<std::string, std::int64_t> actions, days, authors, servers;
    std::vector<Sample> samples;
};
constexpr std::size_t most_samples = 50, most_counted = 200;

struct Rehearsal {
    RehearsalId id;
    RuleId rule_id;
    std::int64_t version = 0;
    RehearsalState state = RehearsalState::running;
    StatusId from_id, after_id, until_id;
    std::string result;
    Time created_at;
    std::optional<Time> finished_at;
};
DESCRIBE(Rehearsal, id, rule_id, version, state, from_id, after_id, until_id, result, created_at, finished_at)

std::vector<Rehearsal> rehearsals(db::Read&, RuleId);  // the newest first
Rehearsal rehearsal(db::Read&, RehearsalId);           // throws NotFound

// For the rule's current version. Throws Forbidden and NotFound.
RehearsalId begin_rehearsal(db::Write&, const accounts::Actor&, RuleId, std::int64_t days);
void cancel_rehearsal(db::Write&, const accounts::Actor&, RehearsalId);

struct RehearsalGoesOn {
    RehearsalId rehearsal;
};
DESCRIBE(RehearsalGoesOn, rehearsal)
jobs::Change rehearse(db::Read&, const RehearsalGoesOn&);  // reaction
void purge_rehearsals(db::Write&);                         // periodic
constexpr std::int64_t rehearsals_kept_seconds = 30 * 86'400, longest_rehearsal_days = 90;

}  // namespace rules
