// SPDX-License-Identifier: AGPL-3.0-or-later
// Collections: accounts that somebody recommends. Who is put into one has agreed to it beforehand by being
// discoverable, and may leave for good (behaviours 11.28).
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
// With those who were put there at once.
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
// Somebody is in a collection of ours from now on.
struct ItemAdded {
    CollectionId collection;
    AccountId owner;
    ItemId item;
};
DESCRIBE(ItemAdded, collection, owner, item)
// Somebody who was in a collection of ours, or was waited for, is not any more.
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
// The account took itself out.
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

// What an owner hands in; what is absent stays as it is, and a blank text or tag is none.
struct Draft {
    std::optional<std::string> name, description, language, tag_name;
    std::optional<bool> sensitive, discoverable;
};

// Those of suspended accounts are gone. Throws NotFound.
Collection collection(db::Read&, CollectionId);
Collection own_collection(db::Read&, AccountId me, CollectionId);  // throws NotFound, Forbidden

// Newest first, `limit` of them behind the first `offset`.
std::vector<Collection> collections_of(db::Read&, AccountId owner, bool with_hidden, int limit, int offset);
std::vector<Collection> collections_with(db::Read&, AccountId member, int limit, int offset);
std::vector<Collection> collections(db::Read&, const std::vector<CollectionId>&);  // in no order
// What everybody may come upon, newest first, whichever server it is from: nothing that is marked as sensitive, and nothing of
// people whom moderators limited.
std::vector<Collection> collections_to_find(db::Read&, const base::Range&);

// Throws Invalid with fields, NotFound (an account), Forbidden (one that does not want to be featured).
CollectionId create(db::Write&, AccountId me, const Draft&, const std::vector<AccountId>& members);
void update(db::Write&, AccountId me, CollectionId, const Draft&);
void remove(db::Write&, AccountId me, CollectionId);
// With all that is in it, whoever's it is.
void take_away(db::Write&, AccountId owner, CollectionId);

// Deleted together with their account (server/private_rows.cpp); how many there were, at most so many.
std::int64_t drop_own_collections(db::Write&, AccountId, int most);

}  // namespace collections
