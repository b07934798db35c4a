// SPDX-License-Identifier: AGPL-3.0-or-later
// Compares a source's entries with the rules in force because of it: what would be added, changed and lifted.
#pragma once
#include "social/moderation/list_sources/source.hpp"
#include "social/moderation/server_lists/batch.hpp"
#include "social/moderation/server_lists/preview.hpp"

namespace moderation {

// A rule that a source made.
struct BroughtRule {
    ListBatchId batch;
    instance::ListRule rule;
    bool stricter = false;  // than before
};

// What staff agreed to: names to measure later changes by, and the domains that it accepts.
struct GoneAlong {
    std::vector<std::string> names, accepts;
};

struct Standing {
    std::vector<instance::ListRule> wanted;  // all that it recommends as rules, by domain
    std::vector<instance::ListRule>
        fresh;  // of these: not in force by it, or suspending only now, and not turned down
    std::vector<BroughtRule> changed;             // in force in an older form; the rule as it is now
    std::vector<BroughtRule> gone;                // in force, and not recommended any more
    std::set<std::string> in_force, turned_down;  // names
    std::set<std::string> open;                   // names: fresh ones, accounts and mail providers
    GoneAlong says;
    std::set<std::string> accepted;      // by it, and gone along with
    SourceHold hold = SourceHold::none;  // why nothing is applied automatically now
    std::int64_t priority = 0;           // of the source
};
Standing standing_of(db::Read&, const ListSource&);

BOOST_DEFINE_ENUM_CLASS(
    AdviceState, suggested, in_force, changed, withdrawn, turned_down, own, covered, excepted, accepted, told
)

// An entry and what becomes of it. accepted: no list touches it by itself. told: no rule can do what it says, or it is for people to read.
struct StandingAdvice {
    AdviceAbout about = AdviceAbout::domain;
    std::string key;
    AdviceType type = AdviceType::recommendation;
    AdvicePolicy policy = AdvicePolicy::none;
    std::vector<std::string> filters, labels;
    std::string comment;
    AdviceState state = AdviceState::told;
};
DESCRIBE(StandingAdvice, about, key, type, policy, filters, labels, comment, state)

struct AdviceFilter {
    std::optional<AdviceAbout> about;
    std::optional<AdviceState> state;
    std::string after;  // a key
    int limit = 100;
};
// By key, including withdrawn entries that are still in force.
std::vector<StandingAdvice> standing_advice(db::Read&, const ListSource&, const AdviceFilter&);

// ---- acts of staff; each needs manage_federation ----

// The slow part of it, done on a reader.
struct PreparedSource {
    PreparedList list;
    std::optional<GoneAlong> accepts;  // set when staff thereby agrees to the whole list
};
// The suggestions for these domains; for none given, all. Both throw Invalid when there is none for one of
// them.
PreparedSource prepare_source(db::Read&, const ListSource&, const std::vector<std::string>& domains);
ListPreview preview_source(db::Read&, const Standing&, const std::vector<std::string>& domains = {});
// Applies them as a list. If these are all suggestions, staff thereby agrees to the source's current entries.
AppliedList apply_source(
    db::Write&, const accounts::Actor&, ListSourceId, const PreparedSource&, bool dry_run
);
// Staff agrees to its current entries without applying them: they are applied automatically as far as its
// mode allows.
void accept_source(db::Write&, const accounts::Actor&, ListSourceId, const Standing&);
// The domains with suggested rules.
std::vector<std::string> suggested_domains(const RulesNow&, const Standing&);
// Of all these, as suggested_domains() has them, nothing is suggested any more.
void dismiss_all(db::Write&, const accounts::Actor&, ListSourceId, const std::vector<std::string>& suggested);
// Nothing is suggested of these domains, accounts and mail providers any more; of one that it withdrew, the rule stays as one of this site's own. At most 50.
void dismiss_advice(db::Write&, const accounts::Actor&, ListSourceId, const std::vector<std::string>& domains, const Standing&);
// Lifts the withdrawn rules about these domains. At most 50.
void lift_withdrawn(db::Write&, const accounts::Actor&, ListSourceId, const std::vector<std::string>& domains, const Standing&);

// ---- its rules ----

std::vector<ListBatchId> batches_of(db::Read&, ListSourceId);
std::vector<ListBatch> lists_of_source(db::Read&, ListSourceId, std::size_t most);  // newest first
// The effect of lifting its rules when it is removed.
instance::EndedRules ending_of_source(db::Read&, ListSourceId);

// ---- ranking.cpp ----

// What another priority of the source would change of the rules that lists made: where it decides then, or no longer.
// Throws Invalid.
ListPreview preview_priority(db::Read&, const ListSource&, std::int64_t priority);

// ---- others.cpp: accounts that are known here, and mail providers ----

AdviceState state_of_other(db::Read&, const Advice&, Ceiling);
Advice advice_about(db::Read&, ListSourceId, const std::string& key);  // of one of these; throws NotFound
// The account is suspended or silenced, the mail provider blocked; that needs the permission for it, too. Throws Invalid:
// nothing of the kind is suggested.
void act_on_advice(db::Write&, const accounts::Actor&, ListSourceId, const Advice&);

}  // namespace moderation
