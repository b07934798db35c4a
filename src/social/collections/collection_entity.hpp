// SPDX-License-Identifier: AGPL-3.0-or-later
// Entities Collection and CollectionItem, rendered in batches.
#pragma once
#include "base/json.hpp"
#include "social/collections/item.hpp"
#include "social/statuses/core/visibility.hpp"

namespace collections {

struct CollectionItem {
    ItemId id;
    ItemState state = ItemState::pending;
    Time created_at;
    base::json::Omit<AccountId> account_id;
};
DESCRIBE(CollectionItem, id, state, created_at, account_id)

struct ShallowTag {
    std::string name, url;
};
DESCRIBE(ShallowTag, name, url)

struct CollectionEntity {
    CollectionId id;
    std::string uri, url, name;
    std::optional<std::string> description, language;
    AccountId account_id;
    bool local = true, sensitive = false, discoverable = false;
    int item_count = 0;
    std::optional<ShallowTag> tag;
    std::vector<CollectionItem> items;
    Time created_at, updated_at;
};
DESCRIBE(
    CollectionEntity, id, uri, url, name, description, language, account_id, local, sensitive, discoverable,
    item_count, tag, items, created_at, updated_at
)

// In the order given. The owner also sees pending members; viewers do not see accounts that they block.
std::vector<CollectionEntity> entities(db::Read&, const statuses::Audience&, const std::vector<Collection>&);
CollectionItem entity(const Item&);

}  // namespace collections
