// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/notify.hpp"

#include "social/collections/collection_entity.hpp"

namespace notifications {

namespace {

Notice notice(AccountId member, AccountId owner, Type type, collections::CollectionId about) {
    return {member, owner, type, {}, about.value};
}

}  // namespace

JsonById render_collections(
    db::Read& db, const statuses::Audience& viewer, const std::vector<std::int64_t>& about
) {
    std::vector<collections::CollectionId> ids;
    for (auto id : about) ids.push_back({id});
    JsonById out;
    for (const auto& e : collections::entities(db, viewer, collections::collections(db, ids)))
        out.emplace(e.id.value, base::json::to_string(e));
    return out;
}

void notify_added_to_collection(db::Write& db, const collections::AddedToCollection& e) {
    notify(db, notice(e.account, e.owner, Type::added_to_collection, e.collection));
}

void notify_collection_changed(db::Write& db, const collections::CollectionChanged& e) {
    for (const auto& item : collections::items_of(db, {e.collection}))
        if (item.state == collections::ItemState::accepted)
            notify(db, notice(item.account_id, e.owner, Type::collection_update, e.collection));
}

void forget_collection(db::Write& db, const collections::CollectionDeleted& e) {
    for (const auto& item : collections::items_of(db, {e.collection}))
        for (auto type : {Type::added_to_collection, Type::collection_update})
            withdraw(db, notice(item.account_id, e.owner, type, e.collection));
}

}  // namespace notifications
