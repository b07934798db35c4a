// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/timelines/feed.hpp"

#include <algorithm>
#include <unordered_set>

namespace timelines {

const db::Query<StatusId> statuses_mentioning{
    "statuses_mentioning",
    R"(SELECT DISTINCT status_id FROM mentions WHERE status_id IN LIST($1)
       AND account_id IN LIST($2) AND silent = FALSE)"
};

namespace {

// Limits the cost of filling a page when nearly everything is filtered out.
constexpr int most_rounds = 200, most_batch = 500;

std::vector<VisibilityFacts> facts_of(db::Read& db, const Audience& audience, Batch& batch) {
    if (!batch.ids.empty()) return statuses::visibility_facts(db, audience, batch.ids);
    statuses::note_viewer(db, audience, batch.facts);
    return std::move(batch.facts);
}

void drop_mentions_of_hidden(db::Read& db, const Audience& audience, std::vector<VisibilityFacts>& found) {
    if (!audience.relations || !audience.relations->avoids_anybody() || found.empty()) return;
    std::vector<base::AccountId> hidden;
    const auto& relations = *audience.relations;
    for (auto id : relations.blocking) hidden.push_back(id);
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

std::vector<VisibilityFacts> fill_by(
    db::Read& db, const Audience& audience, const base::Range& range, const Candidates& candidates,
    const Sieve& sieve
) {
    std::vector<VisibilityFacts> page;
    auto wanted = static_cast<std::size_t>(range.limit);
    if (wanted == 0) return page;
    page.reserve(wanted);
    auto batch = range;
    batch.limit = range.limit + 2;  // a few more, to replace those that the rules remove
    for (int round = 0; round < most_rounds && page.size() < wanted; ++round) {
        auto candidate = candidates(batch);
        auto found = facts_of(db, audience, candidate);
        sieve(found);
        for (const auto& f : found)
            if (page.size() < wanted) page.push_back(f);
        if (!candidate.last) break;
        (batch.ascending ? batch.above : batch.below) = candidate.last->value;
        batch.limit = std::min(batch.limit * 2, most_batch);
    }
    if (range.ascending) std::ranges::reverse(page);
    return page;
}

std::vector<VisibilityFacts> fill(
    db::Read& db, const Audience& audience, const base::Range& range, const Candidates& candidates,
    const Keep& keep
) {
    return fill_by(db, audience, range, candidates, [&](std::vector<VisibilityFacts>& found) {
        std::erase_if(found, [&](const VisibilityFacts& f) {
            return !statuses::shown(f, audience) || (keep && !keep(f));
        });
        drop_mentions_of_hidden(db, audience, found);
    });
}

// The tables mentions and statuses belong to statuses, accounts to accounts.
const db::Query<base::AccountId> everybody_mentioned{
    "everybody_mentioned", "SELECT account_id FROM mentions WHERE status_id = $1 AND silent = FALSE"
};
const db::Query<std::string> domains_of_authors{
    "domains_of_authors", "SELECT domain FROM accounts WHERE id IN LIST($1)"
};
const db::Query<std::optional<std::string>> language_of_status{
    "language_of_status", "SELECT language FROM statuses WHERE id = $1"
};

bool OneForMany::mentions_hidden(const Audience& audience) {
    if (!audience.relations || !audience.relations->avoids_anybody() || status_.account_id == audience.viewer)
        return false;
    if (!mentioned_) mentioned_ = db_.all(everybody_mentioned, status_.original_id);
    return std::ranges::any_of(*mentioned_, [&](base::AccountId id) {
        return audience.relations->avoids(id, audience.now);
    });
}

bool OneForMany::from_blocked_domain(const Audience& audience) {
    if (!audience.relations || audience.relations->blocked_domains.empty()) return false;
    if (!domains_)
        domains_ = db_.all(domains_of_authors, std::vector{status_.account_id, status_.original_account_id});
    return std::ranges::any_of(*domains_, [&](const std::string& domain) {
        return audience.relations->blocked_domains.contains(domain);
    });
}

bool OneForMany::shown(const Audience& audience) {
    return statuses::shown(status_, audience) && !from_blocked_domain(audience) && !mentions_hidden(audience);
}

const std::optional<std::string>& OneForMany::language() {
    if (!language_) language_ = db_.one(language_of_status, status_.original_id);
    return *language_;
}

base::Cursors feed_cursors(const std::vector<VisibilityFacts>& page) {
    if (page.empty()) return {};
    return base::cursors_of(page.front().id.value, page.back().id.value, true, false);
}

}  // namespace timelines
