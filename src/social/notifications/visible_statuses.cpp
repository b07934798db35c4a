// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/visible_statuses.hpp"

#include "social/statuses/render/status_entity.hpp"

namespace notifications {

StatusTexts visible_statuses(
    db::Read& db, const statuses::Audience& looker, const std::vector<base::StatusId>& ids
) {
    StatusTexts out;
    auto facts = statuses::facts(db, looker, ids);
    std::erase_if(facts, [&](const statuses::Facts& f) {
        return !statuses::visible(f, looker) || !out.emplace(f.id, "").second;
    });
    auto texts = statuses::json_each(db, looker, facts);
    for (std::size_t i = 0; i < facts.size(); ++i)
        if (texts[i].empty()) out.erase(facts[i].id);
        else out[facts[i].id] = std::move(texts[i]);
    return out;
}

}  // namespace notifications
