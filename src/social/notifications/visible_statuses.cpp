// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/json_read.hpp"
#include "social/filters/filter.hpp"
#include "social/notifications/attachment.hpp"
#include "social/notifications/notification.hpp"
#include "social/statuses/render/rendered_status.hpp"
#include "social/statuses/render/status_entity.hpp"

#include <algorithm>

namespace notifications {

namespace {

struct Matched {
    std::vector<std::string> context;
    filters::Action filter_action = filters::Action::warn;
};
DESCRIBE(Matched, context, filter_action)
struct FilterResult {
    Matched filter;
};
DESCRIBE(FilterResult, filter)

// Whether a filter hides it among notifications, according to the status's member `filtered`.
bool hidden(const std::string& filtered) {
    auto results = base::json::read<std::vector<FilterResult>>(filtered);
    return std::ranges::any_of(results, [](const FilterResult& result) {
        return result.filter.filter_action == filters::Action::hide &&
               std::ranges::find(result.filter.context, "notifications") != result.filter.context.end();
    });
}

}  // namespace

std::vector<Notification> unfiltered(
    db::Read& db, const statuses::Audience& recipient, std::vector<Notification> some,
    const StatusFacts& facts
) {
    std::vector<statuses::VisibilityFacts> all;
    for (const auto& [id, of_status] : facts) all.push_back(of_status);
    auto filtered = statuses::filtered(db, recipient, all);
    std::erase_if(some, [&](const Notification& one) {
        auto status = facts.find(one.status_id);
        if (status == facts.end()) return false;
        auto matched = filtered.find(status->second.original_id);
        return matched != filtered.end() && hidden(matched->second);
    });
    return some;
}

StatusTexts visible_statuses(
    db::Read& db, const statuses::Audience& viewer, const std::vector<base::StatusId>& ids
) {
    auto facts = statuses::visibility_facts(db, viewer, ids);
    std::erase_if(facts, [&](const statuses::VisibilityFacts& f) { return !statuses::visible(f, viewer); });
    auto by = [](const statuses::VisibilityFacts& f) { return f.id; };
    std::ranges::sort(facts, {}, by);
    auto same = std::ranges::unique(facts, {}, by);
    facts.erase(same.begin(), same.end());
    StatusTexts out;
    auto texts = statuses::json_each(db, viewer, facts);
    for (std::size_t i = 0; i < facts.size(); ++i)
        if (!texts[i].empty()) out.emplace(facts[i].id, std::move(texts[i]));
    return out;
}

}  // namespace notifications
