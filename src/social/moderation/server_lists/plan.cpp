// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/server_lists/plan.hpp"

#include <algorithm>

namespace moderation {

namespace {

using instance::KnownRule, instance::ListRule, instance::RuleOrigin, instance::Severity;

// Whether the new rule adds nothing to one about a domain above, or would even loosen it.
bool covers(const KnownRule& above, const ListRule& rule) {
    if (above.severity == Severity::suspend) return true;
    if (rule.severity == Severity::suspend) return false;
    if (above.severity == Severity::silence && rule.severity == Severity::noop) return true;
    const bool adds = (rule.severity == Severity::silence && above.severity == Severity::noop) ||
                      (rule.reject_media && !above.reject_media) ||
                      (rule.reject_reports && !above.reject_reports);
    const bool loosens =
        (above.reject_media && !rule.reject_media) || (above.reject_reports && !rule.reject_reports);
    return !adds || loosens;
}

KnownRule known(const ListRule& rule, std::int64_t priority) {
    return {rule.domain, rule.severity, rule.reject_media, rule.reject_reports, RuleOrigin::list, priority};
}

KnownRule joined(KnownRule rule, const ListRule& with) {
    if (with.severity == Severity::suspend || rule.severity == Severity::noop) rule.severity = with.severity;
    rule.reject_media |= with.reject_media;
    rule.reject_reports |= with.reject_reports;
    return rule;
}

std::string_view upwards(std::string_view domain) {
    const auto dot = domain.find('.');
    return dot == domain.npos ? std::string_view() : domain.substr(dot + 1);
}

class Planning {
public:
    Planning(const RulesNow& now, std::int64_t priority)
        : out_{{}, now.rules, RuleBook(now.rules)}, priority_(priority), exceptions_(now.exceptions) {}

    // Those above come first, so that they can cover those below them in the same list.
    ListPlan plan(const std::vector<ListRule>& rules) {
        std::vector<std::size_t> order(rules.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return rules[i].domain.size(); });
        out_.rules.resize(rules.size());
        for (auto i : order) out_.rules[i] = planned(rules[i]);
        for (const auto& domain : exceptions_) {
            const auto* rule = out_.after.deciding(domain);
            if (rule && rule->origin == RuleOrigin::list)
                out_.after.put({domain, Severity::noop, false, false, RuleOrigin::exception});
        }
        return std::move(out_);
    }

private:
    PlannedRule planned(const ListRule& rule) {
        if (!exceptions_.empty())
            for (auto& domain : instance::domains_upwards(rule.domain))
                if (exceptions_.contains(domain)) return {rule, Fate::excepted, std::move(domain)};
        const auto* same = out_.after.about(rule.domain);
        if (same && same->origin == RuleOrigin::hand) return {rule, Fate::own, rule.domain};
        if (same) {
            if (priority_ > same->priority) out_.after.put(known(rule, priority_));
            else if (priority_ == same->priority) out_.after.put(joined(*same, rule));
            return {rule, Fate::joined, rule.domain};
        }
        const auto* above = out_.after.above(rule.domain);
        if (above && covers(*above, rule)) return {rule, Fate::covered, above->domain};
        out_.after.put(known(rule, priority_));
        return {rule, Fate::added, {}};
    }

    ListPlan out_;
    std::int64_t priority_;
    const std::set<std::string>& exceptions_;
};

}  // namespace

RuleBook::RuleBook(std::vector<KnownRule> rules) {
    for (auto& rule : rules) put(std::move(rule));
}

void RuleBook::put(KnownRule rule) {
    auto domain = rule.domain;
    rules_.insert_or_assign(std::move(domain), std::move(rule));
}

const KnownRule* RuleBook::about(const std::string& domain) const {
    if (const auto found = rules_.find(domain); found != rules_.end()) return &found->second;
    return under_ ? under_->about(domain) : nullptr;
}

const KnownRule* RuleBook::first_of(std::string_view from) const {
    for (auto domain = from; !domain.empty(); domain = upwards(domain))
        if (const auto* rule = about(std::string(domain))) return rule;
    return nullptr;
}

const KnownRule* RuleBook::deciding(std::string_view server) const {
    return first_of(server.substr(0, server.find(':')));
}

const KnownRule* RuleBook::above(std::string_view domain) const { return first_of(upwards(domain)); }

std::int64_t ListPlan::count(Fate fate) const { return std::ranges::count(rules, fate, &PlannedRule::fate); }

std::vector<ListRule> ListPlan::in_force() const {
    std::vector<ListRule> out;
    for (const auto& one : rules)
        if (one.fate == Fate::added || one.fate == Fate::joined) out.push_back(one.rule);
    return out;
}

RulesNow::RulesNow(db::Read& db) : rules(std::make_shared<const RuleBook>(instance::known_rules(db))) {
    for (auto& one : instance::list_exceptions(db)) exceptions.insert(std::move(one.domain));
}

ListPlan plan_list(const RulesNow& now, const std::vector<ListRule>& rules, std::int64_t priority) {
    return Planning(now, priority).plan(rules);
}

}  // namespace moderation
