// SPDX-License-Identifier: AGPL-3.0-or-later
// Members of a collection: the rules of adding and leaving.
#pragma once
#include "social/collections/collection.hpp"

namespace collections {

// Throws NotFound (no such account), Forbidden (it does not allow this account to feature it).
void refuse_unfeaturable(db::Read&, AccountId owner, AccountId account);

// Event: a remote account is to be asked for consent to be in a local collection.
struct FeatureWanted {
    ItemId item;
};
DESCRIBE(FeatureWanted, item)

// Stores an item whose account may be featured; a local account is accepted at once, a remote server is
// asked.
ItemId put_item(db::Write&, AccountId owner, CollectionId, AccountId);

// Throws NotFound, Forbidden and Invalid (full, already there).
ItemId add_item(db::Write&, AccountId me, CollectionId, std::optional<AccountId>);
void remove_item(db::Write&, AccountId me, CollectionId, ItemId);
// By the featured account itself, which cannot be added again.
void revoke_item(db::Write&, AccountId me, CollectionId, ItemId);

// Reaction: neither account features the other any more.
void drop_blocked(db::Write&, const relationships::Blocked&);

Item item(db::Read&, ItemId);  // throws NotFound
// Pending and accepted ones, by age; without suspended accounts.
std::vector<Item> items_of(db::Read&, const std::vector<CollectionId>&);

extern const db::Command delete_item;  // $1

// What goes with an account of its own, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_collection_items;

}  // namespace collections
