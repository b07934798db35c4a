// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/timelines/feed.hpp"

#include <algorithm>
#include <unordered_set>

namespace timelines {

const db::Query<StatusId> statuses_mentioning{
    "statuses_mentioning",
    R"(SELECT DISTINCT status_id FROM mentions WHERE status_id IN LIST($1)
       AND account_id IN LIST($2))"
};

namespace {

// What one round of fetching may cost when nearly everything is filtered away.
constexpr int most_rounds = 200, most_batch = 500;

std::vector<VisibilityFacts> facts_of(db::Read& db, const Audience& audience, Batch& batch) {
    if (!batch.ids.empty()) return statuses::visibility_facts(db, audience, batch.ids);
    statuses::note_viewer(db, audience, batch.facts);
    return std::move(batch.facts);
}

void drop_mentions_of_hidden(db::Read& db, const Audience& audience, std::vector<VisibilityFacts>& found) {
    if (!audience.relations || !audience.relations->hides_anybody() || found.empty()) return;
    std::vector<base::AccountId> hidden;
    const auto& relations = *audience.relations;
    for (auto id : relations.blocking) hidden.push_back(id);
    for (auto id : relations.blocked_by) hidden.push_back(id);
    for (const auto& [id, until] : relations.muting)
        if (relations.mutes(id, audience.now)) hidden.push_back(id);
    std::vector<StatusId> ids;
    for (const auto& f : found) ids.push_back(f.original_id);
    std::unordered_set<StatusId> mentioning;
    db.each(statuses_mentioning, [&](StatusId id) { mentioning.insert(id); }, ids, hidden);
    std::erase_if(found, [&](const VisibilityFacts& f) {
        return mentioning.contains(f.original_id) && f.account_id != audience.viewer;
    });
}

}  // namespace

std::vector<VisibilityFacts> fill(
    db::Read& db, const Audience& audience, base::Range range, const Candidates& candidates, const Keep& keep
) {
    std::vector<VisibilityFacts> page;
    auto wanted = static_cast<std::size_t>(range.limit);
    if (wanted == 0) return page;
    page.reserve(wanted);
    auto batch = range;
    batch.limit = range.limit + 2;  // a little more, for what the rules take away
    for (int round = 0; round < most_rounds && page.size() < wanted; ++round) {
        auto candidate = candidates(batch);
        auto found = facts_of(db, audience, candidate);
        std::erase_if(found, [&](const VisibilityFacts& f) {
            return !statuses::shown(f, audience) || (keep && !keep(f));
        });
        drop_mentions_of_hidden(db, audience, found);
        for (const auto& f : found)
            if (page.size() < wanted) page.push_back(f);
        if (!candidate.last) break;
        (batch.ascending ? batch.above : batch.below) = candidate.last->value;
        batch.limit = std::min(batch.limit * 2, most_batch);
    }
    if (range.ascending) std::ranges::reverse(page);
    return page;
}

base::Cursors feed_cursors(const std::vector<VisibilityFacts>& page) {
    if (page.empty()) return {};
    return base::cursors_of(page.front().id.value, page.back().id.value, true, false);
}

}  // namespace timelines
