// SPDX-License-Identifier: AGPL-3.0-or-later
// Who is in a collection: the rules of putting somebody in and of leaving.
#pragma once
#include "social/collections/collection.hpp"

namespace collections {

// Throws NotFound (no such account), Forbidden (it does not want to be featured by this one).
void refuse_unfeaturable(db::Read&, AccountId owner, AccountId account);

// Event: an account of another server is to be asked whether it may be in a collection of ours.
struct FeatureWanted {
    ItemId item;
};
DESCRIBE(FeatureWanted, item)

// Stores one whose account may be featured; one of ours is in at once, another server is to agree.
ItemId put_item(db::Write&, AccountId owner, CollectionId, AccountId);

// Throws NotFound, Forbidden and Invalid (full, already there).
ItemId add_item(db::Write&, AccountId me, CollectionId, std::optional<AccountId>);
void remove_item(db::Write&, AccountId me, CollectionId, ItemId);
// By the featured account itself, which cannot be put there again.
void revoke_item(db::Write&, AccountId me, CollectionId, ItemId);

// Reaction: neither recommends the other any longer.
void drop_blocked(db::Write&, const relationships::Blocked&);

Item item(db::Read&, ItemId);  // throws NotFound
// Those that wait or are accepted, by age; without suspended accounts.
std::vector<Item> items_of(db::Read&, const std::vector<CollectionId>&);

extern const db::Command delete_item;  // $1

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_collection_items;

}  // namespace collections
