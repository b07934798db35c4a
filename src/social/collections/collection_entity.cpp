// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/collections/collection_entity.hpp"

#include "base/uris.hpp"

namespace collections {

CollectionItem entity(const Item& item) {
    CollectionItem e{item.id, item.state, item.created_at, {}};
    if (item.state == ItemState::pending || item.state == ItemState::accepted) e.account_id = item.account_id;
    return e;
}

namespace {

bool shown(const Item& item, const Collection& in, const statuses::Audience& audience) {
    if (item.collection_id != in.id) return false;
    if (item.state == ItemState::pending && (!audience.viewer || audience.viewer != in.account_id))
        return false;
    return !audience.relations || !audience.relations->blocking.contains(item.account_id);
}

CollectionEntity entity(const base::Site& site, const Collection& c) {
    CollectionEntity e;
    auto id = std::to_string(c.id.value);
    e.id = c.id;
    e.uri = c.uri ? *c.uri : base::uris::collection(base::uris::actor(site, c.account_id), c.id.value);
    e.url = c.url.value_or(site.public_url + "/collections/" + id);
    e.name = c.name;
    e.description = c.description;
    e.language = c.language;
    e.account_id = c.account_id;
    e.local = c.local;
    e.sensitive = c.sensitive;
    e.discoverable = c.discoverable;
    if (c.tag) e.tag = ShallowTag{*c.tag, base::uris::tag_page(site, *c.tag)};
    e.created_at = c.created_at;
    e.updated_at = c.updated_at;
    return e;
}

}  // namespace

std::vector<CollectionEntity> entities(
    db::Read& db, const statuses::Audience& audience, const std::vector<Collection>& found
) {
    std::vector<CollectionId> ids;
    for (const auto& c : found) ids.push_back(c.id);
    auto items = items_of(db, ids);
    std::vector<CollectionEntity> out;
    for (const auto& c : found) {
        auto& e = out.emplace_back(entity(db.site(), c));
        for (const auto& item : items)
            if (shown(item, c, audience)) e.items.push_back(entity(item));
        e.item_count = static_cast<int>(e.items.size());
    }
    return out;
}

}  // namespace collections
