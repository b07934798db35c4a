// SPDX-License-Identifier: AGPL-3.0-or-later
// Collections: accounts that an account recommends. Members have consented in advance by being discoverable,
// and can leave permanently (behaviours 11.28).
#pragma once
#include "base/page.hpp"
#include "social/relationships/relationship.hpp"

namespace collections {

using base::AccountId;
using base::Time;
using CollectionId = base::Id<struct CollectionTag>;
using ItemId = base::Id<struct CollectionItemTag>;

// pending → accepted | rejected; accepted → revoked
BOOST_DEFINE_ENUM_CLASS(ItemState, pending, accepted, rejected, revoked)

constexpr int max_items = 25;

// Events
struct AddedToCollection {
    CollectionId collection;
    AccountId owner, account;
};
DESCRIBE(AddedToCollection, collection, owner, account)
// Including the members added at creation.
struct CollectionMade {
    CollectionId collection;
    AccountId owner;
};
DESCRIBE(CollectionMade, collection, owner)
struct CollectionChanged {
    CollectionId collection;
    AccountId owner;
};
DESCRIBE(CollectionChanged, collection, owner)
// An account was added to a local collection.
struct ItemAdded {
    CollectionId collection;
    AccountId owner;
    ItemId item;
};
DESCRIBE(ItemAdded, collection, owner, item)
// A member, or pending member, of a local collection was removed.
struct ItemRemoved {
    CollectionId collection;
    AccountId owner, account;
    ItemId item;
};
DESCRIBE(ItemRemoved, collection, owner, account, item)
// Emitted while its items are still there.
struct CollectionDeleted {
    CollectionId collection;
    AccountId owner;
};
DESCRIBE(CollectionDeleted, collection, owner)
// The account removed itself.
struct LeftCollection {
    CollectionId collection;
    AccountId owner, account;
    ItemId item;
};
DESCRIBE(LeftCollection, collection, owner, account, item)

struct Collection {
    CollectionId id;
    AccountId account_id;
    std::string name;
    std::optional<std::string> description, language;
    bool sensitive = false, discoverable = false;
    std::optional<std::string> tag;  // its name
    bool local = true;
    std::optional<std::string> uri, url;
    Time created_at, updated_at, read_at;
};
DESCRIBE(
    Collection, id, account_id, name, description, language, sensitive, discoverable, tag, local, uri, url,
    created_at, updated_at, read_at
)

struct Item {
    ItemId id;
    CollectionId collection_id;
    AccountId account_id;
    ItemState state = ItemState::pending;
    Time created_at;
};
DESCRIBE(Item, id, collection_id, account_id, state, created_at)

// Input of an owner; absent values stay unchanged, and a blank text or tag removes it.
struct Draft {
    std::optional<std::string> name, description, language, tag_name;
    std::optional<bool> sensitive, discoverable;
};

// Throws NotFound, also for those of suspended accounts.
Collection collection(db::Read&, CollectionId);
Collection own_collection(db::Read&, AccountId me, CollectionId);  // throws NotFound, Forbidden

// Newest first, `limit` of them after the first `offset`.
std::vector<Collection> collections_of(db::Read&, AccountId owner, bool with_hidden, int limit, int offset);
std::vector<Collection> collections_with(db::Read&, AccountId member, int limit, int offset);
std::vector<Collection> collections(db::Read&, const std::vector<CollectionId>&);  // in no order
// Discoverable collections, local and remote, newest first: none that are marked as sensitive, and none by
// limited accounts.
std::vector<Collection> collections_to_find(db::Read&, const base::Range&);

// Throws Invalid with fields, NotFound (an account), Forbidden (an account that does not allow being
// featured).
CollectionId create(db::Write&, AccountId me, const Draft&, const std::vector<AccountId>& members);
void update(db::Write&, AccountId me, CollectionId, const Draft&);
void remove(db::Write&, AccountId me, CollectionId);
// Removes the collection and its items, whoever owns it.
void take_away(db::Write&, AccountId owner, CollectionId);

// Deletes at most `most` of them together with their account (server/private_rows.cpp); returns the number.
std::int64_t drop_own_collections(db::Write&, AccountId, int most);

}  // namespace collections
