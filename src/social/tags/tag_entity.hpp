// SPDX-License-Identifier: AGPL-3.0-or-later
// Entity Tag, with a week of history and, for a logged-in viewer, whether they follow and feature it. One tag
// is a list of one; the number of queries does not depend on the number of tags.
#pragma once
#include "base/json.hpp"
#include "social/tags/tag.hpp"

namespace tags {

struct HistoryDay {
    std::string day, accounts, uses;
};
DESCRIBE(HistoryDay, day, accounts, uses)

struct TagEntity {
    static constexpr std::string_view entity = "Tag";

    std::string id;  // empty: the tag was never used
    std::string name, url;
    std::vector<HistoryDay> history;
    base::json::Omit<bool> following, featuring;
};
DESCRIBE(TagEntity, id, name, url, history, following, featuring)

// In the order given; a tag without an id is not stored. Viewer 0: anonymous.
std::vector<TagEntity> entities(db::Read&, const std::vector<Tag>&, base::AccountId viewer);

}  // namespace tags
