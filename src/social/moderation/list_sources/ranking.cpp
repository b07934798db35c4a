// SPDX-License-Identifier: AGPL-3.0-or-later
// A list that is subscribed to gets another priority: what that would change, and the change itself, some rules at a time.
#include "social/moderation/list_sources/standing.hpp"

#include <algorithm>

namespace moderation {

namespace {

constexpr int ranked_at_once = 50, compared_at_once = 1000;

// In the place of a rule that lists made.
PlannedRule planned(const instance::KnownRule& rule) {
    return {
        {rule.domain, rule.severity, rule.reject_media, rule.reject_reports, false, {}},
        Fate::joined,
        rule.domain
    };
}

}  // namespace

ListPreview preview_priority(db::Read& db, const ListSource& source, std::int64_t priority) {
    require_priority(priority);
    const RulesNow now(db);
    ListPlan plan{{}, now.rules, RuleBook(now.rules)};
    const auto batches = batches_of(db, source.id);
    std::set<std::string> domains;
    for (const auto batch : batches)
        for (std::string after;;) {
            const auto some = instance::domains_in_force(db, batch, after, compared_at_once);
            for (const auto& rule : instance::rules_if_ranked(db, batches, priority, some))
                if (domains.insert(rule.domain).second) {
                    plan.rules.push_back(planned(rule));
                    plan.after.put(rule);
                }
            if (std::ssize(some) < compared_at_once) break;
            after = some.back();
        }
    return preview(db, std::move(plan));
}

jobs::Change rank_rules_of_source(db::Read& db, const SourceRanked& e) {
    auto batches = batches_of(db, e.source);
    std::ranges::sort(batches, {}, &ListBatchId::value);
    for (const auto batch : batches) {
        if (batch.value < e.batch.value) continue;
        const auto after = batch == e.batch ? e.after : std::string();
        auto domains = instance::domains_in_force(db, batch, after, ranked_at_once);
        if (domains.empty()) continue;
        return [source = e.source, batch, domains = std::move(domains)](db::Write& db) {
            instance::rank_list_rules(db, domains);
            db.emit(SourceRanked{source, batch, domains.back()});
        };
    }
    return {};
}

}  // namespace moderation
