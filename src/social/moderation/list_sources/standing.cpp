// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/list_sources/standing.hpp"

#include "base/json_read.hpp"
#include "social/moderation/list_sources/accepted.hpp"

#include <algorithm>
#include <map>

namespace moderation {

namespace {

using accounts::Actor;
using instance::ListRule;
namespace permission = accounts::permission;

using Domains = std::vector<std::string>;

// Fewer domains than that may always come or go: of a short list each is a large part.
constexpr std::size_t always_allowed = 10;
constexpr std::size_t most_decided = 50;  // at once
constexpr std::size_t grown_percent = 20, shrunk_percent = 50;

struct RuleOfSource {
    ListBatchId batch_id;
    std::string domain;
    instance::Severity severity = instance::Severity::suspend;
    bool reject_media = false, reject_reports = false, active = true;
};
DESCRIBE(RuleOfSource, batch_id, domain, severity, reject_media, reject_reports, active)

struct Decisions {
    std::string accepted, accepts, dismissed;
};
DESCRIBE(Decisions, accepted, accepts, dismissed)

bool suspends(const auto& rule) { return rule.severity == instance::Severity::suspend; }

bool says_the_same(const RuleOfSource& rule, const ListRule& wanted) {
    return rule.severity == wanted.severity && rule.reject_media == wanted.reject_media &&
           rule.reject_reports == wanted.reject_reports;
}

int strictness(instance::Severity severity) {
    return severity == instance::Severity::suspend ? 2 : severity == instance::Severity::silence ? 1 : 0;
}

bool is_stricter(const ListRule& wanted, const RuleOfSource& rule) {
    return strictness(wanted.severity) > strictness(rule.severity) ||
           (wanted.reject_media && !rule.reject_media) || (wanted.reject_reports && !rule.reject_reports);
}

std::vector<ListRule> rules_in(const Copy& copy, const ListSource& source) {
    std::vector<ListRule> out;
    if (source.role == SourceRole::allow) return out;
    for (const auto& one : copy)
        if (auto rule = rule_of(one, source.ceiling)) out.push_back(*std::move(rule));
    return out;
}

constexpr char advised = '~';

// Of a rule the domain, and once more where it is suspended, as that is more than was there; what it accepts, which stops others; and
// about what it advises, which may bear a label.
GoneAlong said_by(const std::vector<ListRule>& rules, const Copy& copy, const ListSource& source) {
    GoneAlong out;
    for (const auto& one : copy)
        if (accepts(one)) {
            out.accepts.push_back(one.key);
            out.names.push_back(one.key + "+");
        }
    if (source.mode == SourceMode::group) out.accepts.clear();
    for (const auto& one : copy)
        if (one.about == AdviceAbout::domain && one.type == AdviceType::advisory)
            out.names.push_back(one.key + advised);
    for (const auto& rule : rules) {
        out.names.push_back(rule.domain);
        if (suspends(rule)) out.names.push_back(rule.domain + "!");
    }
    std::ranges::sort(out.names);
    return out;
}

Domains domains_of(const std::vector<ListRule>& rules) {
    Domains out;
    for (const auto& rule : rules) out.push_back(rule.domain);
    return out;
}

std::size_t not_in(const Domains& these, const Domains& those) {
    Domains out;
    std::ranges::set_difference(these, those, std::back_inserter(out));
    return out.size();
}

SourceHold hold_of(const Domains& accepted, const Domains& wanted) {
    auto too_many = [&](std::size_t some, std::size_t percent) {
        return some > always_allowed && some * 100 > accepted.size() * percent;
    };
    if (too_many(not_in(wanted, accepted), grown_percent)) return SourceHold::grown;
    if (too_many(not_in(accepted, wanted), shrunk_percent)) return SourceHold::shrunk;
    return SourceHold::none;
}

// Servers about which it only advises are counted for themselves, so that many of the one kind hide no change of the other; and
// where they bear no label nothing comes of them.
SourceHold hold_of(const ListSource& source, const Domains& accepted, const Domains& wanted) {
    auto some = [](const Domains& all, bool advice) {
        Domains out;
        std::ranges::copy_if(all, std::back_inserter(out), [&](const auto& one) {
            return one.ends_with(advised) == advice;
        });
        return out;
    };
    const auto hold = hold_of(some(accepted, false), some(wanted, false));
    if (hold != SourceHold::none || !source.label_id) return hold;
    return hold_of(some(accepted, true), some(wanted, true));
}

}  // namespace

const db::Query<ListBatchId> batches_of_source{
    "batches_of_source", "SELECT id FROM list_batches WHERE source_id = $1"
};
const db::Query<RuleOfSource> rules_of_source{
    "rules_of_source",
    R"(SELECT batch_id, domain, severity, reject_media, reject_reports, active FROM list_rules
       WHERE batch_id IN LIST($1) ORDER BY domain, batch_id)"
};
const db::Query<Decisions> decisions_of_source{
    "decisions_of_source", "SELECT accepted, accepts, dismissed FROM list_copies WHERE source_id = $1"
};
const db::Command update_accepted{
    "update_accepted", "UPDATE list_copies SET accepted = $2, accepts = $3 WHERE source_id = $1"
};
const db::Command update_dismissed{
    "update_dismissed", "UPDATE list_copies SET dismissed = $2 WHERE source_id = $1"
};
const db::Command set_source_of_list{
    "set_source_of_list", "UPDATE list_batches SET source_id = $2, priority = $3 WHERE id = $1"
};

namespace {

Standing standing_with(db::Read& db, const ListSource& source, const Copy& copy) {
    Standing out;
    out.priority = source.priority;
    out.wanted = rules_in(copy, source);
    out.says = said_by(out.wanted, copy, source);
    std::map<std::string_view, const ListRule*> by_domain;
    for (const auto& rule : out.wanted) by_domain.emplace(rule.domain, &rule);
    const auto decided = db.one(decisions_of_source, source.id);
    for (auto& domain : base::json::read<Domains>(decided.dismissed))
        out.turned_down.insert(std::move(domain));
    for (auto& domain : base::json::read<Domains>(decided.accepts)) out.accepted.insert(std::move(domain));
    const auto brought = db.all(rules_of_source, db.all(batches_of_source, source.id));
    std::set<std::string_view> suspended;
    for (const auto& rule : brought)
        if (rule.active && suspends(rule)) suspended.insert(rule.domain);
    for (const auto& rule : brought) {
        if (!rule.active) {
            out.turned_down.insert(rule.domain);
            continue;
        }
        const auto now = by_domain.find(rule.domain);
        if (now == by_domain.end()) {
            ListRule was{rule.domain, rule.severity, rule.reject_media, rule.reject_reports, false, {}};
            out.gone.push_back({rule.batch_id, std::move(was), false});
        } else if (suspends(*now->second) && !suspends(rule)) {
            // That costs follows, as a list does, and is brought like one: with a preview and its undoing.
            if (!suspended.contains(rule.domain)) continue;
        } else if (!says_the_same(rule, *now->second)) {
            out.changed.push_back({rule.batch_id, *now->second, is_stricter(*now->second, rule)});
        }
        out.in_force.insert(rule.domain);
    }
    const bool speaks = source.mode != SourceMode::group;
    for (const auto& rule : out.wanted)
        if (speaks && !out.in_force.contains(rule.domain) && !out.turned_down.contains(rule.domain))
            out.fresh.push_back(rule);
    for (const auto& rule : out.fresh) out.open.insert(rule.domain);
    for (const auto& one : copy)
        if (speaks && one.about != AdviceAbout::domain) out.open.insert(one.key);
    out.hold = source.hold;
    if (out.hold == SourceHold::none)
        out.hold = hold_of(source, base::json::read<Domains>(decided.accepted), out.says.names);
    return out;
}

}  // namespace

Standing standing_of(db::Read& db, const ListSource& source) {
    return standing_with(db, source, copy_of(db, source.id));
}

namespace {

AdviceState state_of(Fate fate) {
    switch (fate) {
        case Fate::added:
        case Fate::joined: return AdviceState::suggested;
        case Fate::own: return AdviceState::own;
        case Fate::covered: return AdviceState::covered;
        case Fate::excepted: break;
    }
    return AdviceState::excepted;
}

std::map<std::string, AdviceState> states_of(db::Read& db, const Standing& standing, AdviceState otherwise) {
    std::map<std::string, AdviceState> out;
    for (const auto& domain : standing.in_force) out[domain] = AdviceState::in_force;
    for (const auto& one : standing.changed) out[one.rule.domain] = AdviceState::changed;
    for (const auto& one : plan_list(RulesNow(db), standing.fresh, standing.priority).rules)
        out[one.rule.domain] = state_of(one.fate);
    for (const auto& rule : standing.wanted) out.try_emplace(rule.domain, otherwise);
    return out;
}

}  // namespace

std::vector<StandingAdvice> standing_advice(
    db::Read& db, const ListSource& source, const AdviceFilter& filter
) {
    const auto copy = copy_of(db, source.id);
    const auto standing = standing_with(db, source, copy);
    const bool speaks = source.mode != SourceMode::group;
    const auto states = states_of(db, standing, speaks ? AdviceState::turned_down : AdviceState::told);
    std::vector<std::pair<Advice, std::optional<AdviceState>>> all;
    for (const auto& one : standing.gone) all.emplace_back(advice_of(one.rule), AdviceState::withdrawn);
    for (const auto& one : copy) {
        if (one.about != AdviceAbout::domain) {
            all.emplace_back(one, std::nullopt);
            continue;
        }
        const auto known = states.find(one.key);
        if (accepts(one) && standing.accepted.contains(one.key)) all.emplace_back(one, AdviceState::accepted);
        else if (known == states.end()) all.emplace_back(one, AdviceState::told);
        else if (rule_of(one, source.ceiling)) all.emplace_back(one, known->second);
    }
    std::erase_if(all, [&](const auto& one) {
        return one.first.key <= filter.after || (filter.about && *filter.about != one.first.about);
    });
    std::ranges::stable_sort(all, {}, [](const auto& one) -> const std::string& { return one.first.key; });
    std::vector<StandingAdvice> out;
    for (const auto& [one, decided] : all) {
        // The same name may be that of a server and of a mail provider: the next page begins behind both.
        if (std::ssize(out) >= filter.limit && out.back().key != one.key) break;
        const auto state = decided                                  ? *decided
                           : standing.turned_down.contains(one.key) ? AdviceState::turned_down
                           : speaks                                 ? state_of_other(db, one, source.ceiling)
                                                                    : AdviceState::told;
        if (filter.state && *filter.state != state) continue;
        out.push_back({one.about, one.key, one.type, one.policy, one.filters, one.labels, one.comment, state}
        );
    }
    return out;
}

// ---- acts of staff ----

namespace {

Subject subject(const ListSource& one) { return {"ListSource", one.id.value, one.name}; }

void accept(db::Write& db, ListSourceId id, const GoneAlong& says) {
    db.run(update_accepted, id, base::json::to_string(says.names), base::json::to_string(says.accepts));
    set_hold(db, id, SourceHold::none);
}

AppliedList bring(
    db::Write& db, const Actor& who, const ListSource& source, const PreparedList& list, bool dry_run
) {
    auto out = apply_list(db, who, source.name, list, dry_run);
    if (out.id) db.run(set_source_of_list, *out.id, source.id, source.priority);
    return out;
}

void check_count(const Domains& domains) {
    static_assert(most_decided == 50);
    if (domains.empty()) throw base::Invalid("At least one domain must be named");
    if (domains.size() > most_decided) throw base::Invalid("At most 50 domains can be named at once");
}

// Of what is suggested, these; of none, all.
std::vector<ListRule> chosen(const Standing& standing, const Domains& domains) {
    if (domains.empty()) return standing.fresh;
    std::map<std::string_view, const ListRule*> fresh;
    for (const auto& rule : standing.fresh) fresh.emplace(rule.domain, &rule);
    std::vector<ListRule> out;
    for (const auto& domain : std::set(domains.begin(), domains.end())) {
        const auto found = fresh.find(domain);
        if (found == fresh.end()) throw base::Invalid("Nothing is suggested about " + domain);
        out.push_back(*found->second);
    }
    return out;
}

void turn_down(db::Write& db, ListSourceId id, const Domains& names) {
    auto dismissed = base::json::read<Domains>(db.one(decisions_of_source, id).dismissed);
    dismissed.insert(dismissed.end(), names.begin(), names.end());
    db.run(update_dismissed, id, base::json::to_string(dismissed));
}

template <class F>
void each_batch(const std::vector<BroughtRule>& rules, const Domains& domains, F f) {
    std::map<std::int64_t, Domains> by_batch;
    for (const auto& one : rules)
        if (std::ranges::find(domains, one.rule.domain) != domains.end())
            by_batch[one.batch.value].push_back(one.rule.domain);
    for (const auto& [batch, some] : by_batch) f(ListBatchId{batch}, some);
}

}  // namespace

PreparedSource prepare_source(db::Read& db, const ListSource& source, const Domains& domains) {
    const auto standing = standing_of(db, source);
    ServerList list;
    list.priority = source.priority;
    list.rules = chosen(standing, domains);
    std::optional<GoneAlong> accepts;
    if (domains.empty()) accepts = standing.says;
    return {prepare_list(db, list), std::move(accepts)};
}

ListPreview preview_source(db::Read& db, const Standing& standing, const Domains& domains) {
    ServerList list;
    list.priority = standing.priority;
    list.rules = chosen(standing, domains);
    return preview(db, list);
}

Domains suggested_domains(const RulesNow& now, const Standing& standing) {
    return domains_of(plan_list(now, standing.fresh, standing.priority).in_force());
}

AppliedList apply_source(
    db::Write& db, const Actor& who, ListSourceId id, const PreparedSource& prepared, bool dry_run
) {
    auto out = bring(db, who, list_source(db, id), prepared.list, dry_run);
    if (dry_run || !prepared.accepts) return out;
    accept(db, id, *prepared.accepts);
    db.emit(SourceRead{id});
    return out;
}

void accept_source(db::Write& db, const Actor& who, ListSourceId id, const Standing& standing) {
    accounts::require(who, permission::manage_federation);
    const auto source = list_source(db, id);
    accept(db, id, standing.says);
    log(db, who, "accept", subject(source));
    db.emit(SourceRead{id});
}

void dismiss_advice(
    db::Write& db, const Actor& who, ListSourceId id, const Domains& names, const Standing& standing
) {
    accounts::require(who, permission::manage_federation);
    check_count(names);
    const auto source = list_source(db, id);
    each_batch(standing.gone, names, [&](ListBatchId batch, const Domains& some) {
        instance::adopt_list_rules(db, batch, some);
    });
    Domains open;
    for (const auto& name : names)
        if (standing.open.contains(name)) open.push_back(name);
    turn_down(db, id, open);
    log(db, who, "dismiss", subject(source), base::json::to_string(names));
}

void dismiss_all(db::Write& db, const Actor& who, ListSourceId id, const Domains& suggested) {
    accounts::require(who, permission::manage_federation);
    const auto source = list_source(db, id);
    turn_down(db, id, suggested);
    log(db, who, "dismiss", subject(source), base::json::to_string(std::ssize(suggested)));
}

void lift_withdrawn(
    db::Write& db, const Actor& who, ListSourceId id, const Domains& domains, const Standing& standing
) {
    accounts::require(who, permission::manage_federation);
    check_count(domains);
    const auto source = list_source(db, id);
    each_batch(standing.gone, domains, [&](ListBatchId batch, const Domains& some) {
        instance::withdraw_list_rules(db, batch, some);
    });
    log(db, who, "lift", subject(source), base::json::to_string(domains));
}

// ---- what it brought ----

std::vector<ListBatchId> batches_of(db::Read& db, ListSourceId id) { return db.all(batches_of_source, id); }

std::vector<ListBatch> lists_of_source(db::Read& db, ListSourceId id, std::size_t most) {
    auto ids = batches_of(db, id);
    std::ranges::sort(ids, std::greater(), &ListBatchId::value);
    std::vector<ListBatch> out;
    for (const auto one : ids)
        if (out.size() < most) out.push_back(list_batch(db, one));
    return out;
}

instance::EndedRules ending_of_source(db::Read& db, ListSourceId id) {
    return instance::ending_of_lists(db, db.all(batches_of_source, id));
}

jobs::Change lift_rules_of_source(db::Read& db, const SourceEnded& e) {
    for (const auto batch : db.all(batches_of_source, e.source)) {
        auto domains = instance::domains_in_force(db, batch, {}, most_decided);
        if (domains.empty()) continue;
        return [e, batch, domains = std::move(domains)](db::Write& db) {
            instance::withdraw_list_rules(db, batch, domains);
            db.emit(e);
        };
    }
    return {};
}

// ---- what is done by itself ----

namespace {

// Of what is suggested, that by which nobody loses a follow or a follower.
std::vector<ListRule> without_loss(db::Read& db, const Standing& now) {
    const auto& fresh = now.fresh;
    ServerList list;
    list.priority = now.priority;
    list.rules = fresh;
    std::set<std::string> costly;
    for (const auto& one : preview(db, list).domains)
        if (one.following + one.followers > 0) costly.insert(one.domain);
    auto out = fresh;
    std::erase_if(out, [&](const ListRule& rule) { return costly.contains(rule.domain); });
    return out;
}

// Some of them, by the batches that brought them.
template <class F>
void each_chunk(std::span<const BroughtRule> rules, F f) {
    std::map<std::int64_t, std::vector<ListRule>> by_batch;
    for (const auto& one : rules) by_batch[one.batch.value].push_back(one.rule);
    for (const auto& [batch, some] : by_batch) f(ListBatchId{batch}, some);
}

// Rules that go because the source took them back, but not those under which a stricter one of another list waits: that may end
// follows, so it is for staff to say.
void keep_what_softens(db::Read& db, std::vector<BroughtRule>& gone) {
    std::set<std::pair<std::int64_t, std::string>> waiting;
    each_chunk(gone, [&](ListBatchId batch, const std::vector<ListRule>& rules) {
        for (auto& domain : instance::stricter_without(db, batch, domains_of(rules)))
            waiting.emplace(batch.value, std::move(domain));
    });
    std::erase_if(gone, [&](const BroughtRule& one) {
        return waiting.contains({one.batch.value, one.rule.domain});
    });
}

std::span<const BroughtRule> some_of(const std::vector<BroughtRule>& rules) {
    return std::span(rules).first(std::min(rules.size(), most_decided));
}

// Not when staff has decided something, or it was read on, since a reader looked at it: that has its own event.
bool is_as_read(db::Read& db, const ListSource& source) {
    const auto now = find_list_source(db, source.id);
    return now && now->mode == source.mode && now->ceiling == source.ceiling && now->hold == source.hold &&
           now->retractions == source.retractions && now->priority == source.priority &&
           now->read_at == source.read_at;
}

}  // namespace

jobs::Change settle_source(db::Read& db, const SourceRead& e) {
    const auto found = find_list_source(db, e.source);
    if (!found) return {};
    const auto& source = *found;
    auto now = standing_of(db, source);
    if (now.hold != SourceHold::none)
        return [source, hold = now.hold](db::Write& db) {
            if (is_as_read(db, source)) set_hold(db, source.id, hold);
        };
    const bool applies = source.mode == SourceMode::apply;
    if (!applies) now.changed.clear();
    if (source.retractions == Retractions::ask) now.gone.clear();
    AcceptedDomains accepted(db);
    accepted.add(now.says.accepts);
    std::erase_if(now.changed, [&](const BroughtRule& one) {
        return one.stricter && accepted.touched_by(one.rule.domain);
    });
    std::erase_if(now.fresh, [&](const ListRule& rule) { return accepted.touched_by(rule.domain); });
    if (source.retractions == Retractions::lift) keep_what_softens(db, now.gone);
    const bool goes_on = now.gone.size() > most_decided || now.changed.size() > most_decided;
    ServerList list;
    list.priority = source.priority;
    if (applies && !goes_on) list.rules = without_loss(db, now);
    auto prepared = prepare_list(db, list);
    return [source, now = std::move(now), prepared = std::move(prepared), goes_on](db::Write& db) {
        if (!is_as_read(db, source)) return;
        const auto who = accounts::the_operator();
        accept(db, source.id, now.says);
        each_chunk(some_of(now.gone), [&](ListBatchId batch, const std::vector<ListRule>& rules) {
            const auto domains = domains_of(rules);
            const bool lifts = source.retractions == Retractions::lift;
            if (lifts) instance::withdraw_list_rules(db, batch, domains);
            else instance::adopt_list_rules(db, batch, domains);
            log(db, who, lifts ? "lift" : "adopt", subject(source), base::json::to_string(domains));
        });
        each_chunk(some_of(now.changed), [&](ListBatchId batch, const std::vector<ListRule>& rules) {
            instance::change_list_rules(db, batch, rules);
            log(db, who, "change", subject(source), base::json::to_string(domains_of(rules)));
        });
        if (goes_on) return db.emit(SourceRead{source.id});
        db.emit(LabellingContinued{source.id, {}});
        if (prepared.domains == 0) return;
        try {
            bring(db, who, source, prepared, false);
        } catch (const base::Invalid&) {
            // Another list comes into force just now.
            constexpr std::int64_t soon = 600;
            set_next(db, source.id, soon);
        }
    };
}

}  // namespace moderation
