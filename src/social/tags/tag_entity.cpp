// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/tags/tag_entity.hpp"

#include "base/uris.hpp"

#include <map>

namespace tags {

namespace {

struct Bond {
    base::TagId tag_id;
    bool followed = false;  // otherwise featured
};
DESCRIBE(Bond, tag_id, followed)

}  // namespace

const db::Query<Bond> bonds_with_tags{
    "bonds_with_tags",
    R"(SELECT tag_id, TRUE AS followed FROM tag_follows
       WHERE account_id = $1 AND tag_id IN LIST($2)
       UNION ALL
       SELECT tag_id, FALSE FROM featured_tags
       WHERE account_id = $1 AND tag_id IN LIST($2))"
};

namespace {

constexpr int week = 7;
constexpr std::int64_t day_seconds = 86'400;

using History = std::map<std::pair<base::TagId, std::int64_t>, DayOfUse>;

History history_of(db::Read& db, const std::vector<base::TagId>& ids) {
    History found;
    auto since = db.now().midnight().plus_seconds(-(week - 1) * day_seconds);
    for (const auto& day : uses(db, ids, since)) found[{day.tag_id, day.day.ms}] = day;
    return found;
}

// Newest day first, including days without uses.
std::vector<HistoryDay> week_of(const History& history, base::TagId tag, base::Time now) {
    std::vector<HistoryDay> out;
    for (int ago = 0; ago < week; ++ago) {
        auto day = now.midnight().plus_seconds(-ago * day_seconds);
        auto found = history.find({tag, day.ms});
        auto used = found == history.end() ? DayOfUse{} : found->second;
        out.push_back(
            {std::to_string(day.ms / 1000), std::to_string(used.accounts), std::to_string(used.uses)}
        );
    }
    return out;
}

}  // namespace

std::vector<TagEntity> entities(db::Read& db, const std::vector<Tag>& tags, base::AccountId viewer) {
    std::vector<TagEntity> out;
    std::vector<base::TagId> ids;
    for (const auto& tag : tags)
        if (tag.id) ids.push_back(tag.id);
    auto history = ids.empty() ? History{} : history_of(db, ids);
    std::map<base::TagId, std::pair<bool, bool>> bonds;  // following, featuring
    if (viewer && !ids.empty())
        db.each(
            bonds_with_tags,
            [&](const Bond& bond) {
                (bond.followed ? bonds[bond.tag_id].first : bonds[bond.tag_id].second) = true;
            },
            viewer,
            ids
        );
    for (const auto& tag : tags) {
        TagEntity entity{
            tag.id ? std::to_string(tag.id.value) : "",
            tag.name,
            base::uris::tag_page(db.site(), tag.name),
            week_of(history, tag.id, db.now()),
            {},
            {}
        };
        if (viewer) {
            auto [following, featuring] = bonds[tag.id];
            entity.following = following;
            entity.featuring = featuring;
        }
        out.push_back(std::move(entity));
    }
    return out;
}

}  // namespace tags
