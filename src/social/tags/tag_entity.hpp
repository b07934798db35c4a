// SPDX-License-Identifier: AGPL-3.0-or-later
// Entity Tag, as anybody sees it.
#pragma once
#include "base/json.hpp"
#include "social/tags/tag.hpp"

namespace tags {

struct HistoryDay {
    std::string day, accounts, uses;
};
DESCRIBE(HistoryDay, day, accounts, uses)

struct TagEntity {
    base::TagId id;
    std::string name, url;
    std::vector<HistoryDay> history;
};
DESCRIBE(TagEntity, id, name, url, history)

TagEntity entity(const base::Site&, const Tag&);

}  // namespace tags
