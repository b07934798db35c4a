// SPDX-License-Identifier: AGPL-3.0-or-later
// Collections of other servers (FEP-7aa9): read and stored, with the consent of each listed account confirmed
// by its own server. They are read when somebody looks at them.
#pragma once
#include "ap/featured.hpp"
#include "jobs/reactions.hpp"
#include "social/collections/remote.hpp"
#include "social/federation/fetch/fetch.hpp"

namespace federation {

using collections::CollectionId;

// A collection with the items that it lists, whose consent is not checked yet.
struct ReadCollection {
    collections::RemoteCollection collection;
    bool tells_items = false;
    std::vector<ap::FeaturedItem> items;
    std::string next;
    base::Time read_at;
};
// Empty when it is not a collection, or not this owner's.
std::optional<ReadCollection> read_collection(
    db::Read&, const ap::Document&, AccountId owner, std::string_view owner_uri
);
// Stores it and schedules the check of its items.
std::optional<CollectionId> keep_collection(db::Write&, const ReadCollection&);

// The account that an item names, if it has consented. Throws Unavailable when its server cannot be asked
// now.
std::optional<collections::RemoteItem> agreed_item(
    const base::Ask&, db::Read&, const collections::Collection&, const ap::FeaturedItem&, bool bulk
);

// All collections of one owner: the rest of the list. With only the account set, reading starts.
struct CollectionsWanted {
    AccountId account;
    std::vector<std::string> uris;
    std::string next;
    int pages = 0;
};
DESCRIBE(CollectionsWanted, account, uris, next, pages)
jobs::Change read_collections(const base::Ask&, db::Read&, const CollectionsWanted&);  // reaction
// The same for a request that waits.
jobs::Change read_collections_now(const base::Ask&, db::Read&, AccountId owner);

// Refreshing one collection: the rest of its items.
struct CollectionWanted {
    CollectionId collection;
};
DESCRIBE(CollectionWanted, collection)
struct UnreadItem {
    std::string id, object, authorization;
};
DESCRIBE(UnreadItem, id, object, authorization)
struct ItemsContinued {
    CollectionId collection;
    std::vector<UnreadItem> items;
    std::string next;
    int pages = 0;
    std::size_t looked_up = 0;
    base::Time read_at;  // items that arrived as activities since then may be missing in the list
};
DESCRIBE(ItemsContinued, collection, items, next, pages, looked_up, read_at)
jobs::Change read_collection_again(const base::Ask&, db::Read&, const CollectionWanted&);
jobs::Change read_items(const base::Ask&, db::Read&, const ItemsContinued&);

// Somebody here looks at them. Returns true when the list was never read, and has to be read at once.
bool want_collections(db::Write&, const collections::LookAtCollections&);

}  // namespace federation
