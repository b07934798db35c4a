// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/attachment.hpp"

#include "social/statuses/render/status_entity.hpp"

#include <algorithm>

namespace notifications {

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
