// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/collections/item.hpp"

#include "social/accounts/profile/featuring.hpp"

#include <algorithm>

namespace collections {

void refuse_unfeaturable(db::Read& db, AccountId owner, AccountId id) {
    auto account = accounts::account(db, id);
    if (account.suspended_at) throw base::NotFound();
    if (id == owner) return;
    auto mine = relationships::pair_state(db, owner, id), theirs = relationships::pair_state(db, id, owner);
    if (mine.blocking || mine.blocked_by || mine.blocking_domain || theirs.blocking_domain)
        throw base::Forbidden();
    auto approval =
        accounts::approval_for(accounts::feature_policy(account), {mine.following, theirs.following});
    if (approval == accounts::FeatureApproval::denied) throw base::Forbidden();
}

const db::Command insert_item{
    "insert_collection_item",
    "INSERT INTO collection_items (id, collection_id, account_id, state, created_at) VALUES ($1, $2, $3, $4, "
    "$5)"
};

ItemId put_item(db::Write& db, AccountId owner, CollectionId collection, AccountId account) {
    bool local = accounts::account(db, account).local();
    auto id = db.new_id<ItemId>();
    auto state = local ? ItemState::accepted : ItemState::pending;
    db.run(insert_item, id, collection, account, state, db.now());
    if (local) db.emit(AddedToCollection{collection, owner, account});
    else db.emit(FeatureWanted{id});
    return id;
}

namespace {

struct Capacity {
    std::int64_t taken = 0;
    bool already = false;
};
DESCRIBE(Capacity, taken, already)

}  // namespace

const db::Query<Capacity> room_in_collection{
    "room_in_collection",
    R"(SELECT (SELECT count(*) FROM collection_items
               WHERE collection_id = $1 AND state IN ('pending', 'accepted')) AS taken,
              EXISTS (SELECT 1 FROM collection_items WHERE collection_id = $1 AND account_id = $2) AS already)"
};

ItemId add_item(db::Write& db, AccountId me, CollectionId id, std::optional<AccountId> account) {
    own_collection(db, me, id);
    if (!account) throw base::Invalid("Validation failed: Account can't be blank");
    refuse_unfeaturable(db, me, *account);
    auto room = db.one(room_in_collection, id, *account);
    // An account that has left keeps a row, and cannot be added again.
    if (room.already) throw base::Invalid("Validation failed: Account has already been taken");
    if (room.taken >= max_items)
        throw base::Invalid("Validation failed: Collection has too many accounts (maximum is 25)");
    auto item = put_item(db, me, id, *account);
    if (accounts::account(db, *account).local()) db.emit(ItemAdded{id, me, item});
    return item;
}

const db::Query<Item> item_by_id{
    "collection_item_by_id",
    "SELECT id, collection_id, account_id, state, created_at FROM collection_items WHERE id = $1"
};

Item item(db::Read& db, ItemId id) { return db.one(item_by_id, id); }

namespace {

Item item_in(db::Read& db, CollectionId collection, ItemId id) {
    auto found = item(db, id);
    if (found.collection_id != collection) throw base::NotFound();
    return found;
}

bool present(const Item& item) {
    return item.state == ItemState::accepted || item.state == ItemState::pending;
}

}  // namespace

const db::Command delete_item{"delete_collection_item", "DELETE FROM collection_items WHERE id = $1"};

void remove_item(db::Write& db, AccountId me, CollectionId collection, ItemId id) {
    own_collection(db, me, collection);
    auto gone = item_in(db, collection, id);
    if (!present(gone)) throw base::NotFound();
    db.run(delete_item, id);
    db.emit(ItemRemoved{collection, me, gone.account_id, id});
}

const db::Command revoke_collection_item{
    "revoke_collection_item", "UPDATE collection_items SET state = 'revoked' WHERE id = $1"
};

void revoke_item(db::Write& db, AccountId me, CollectionId id, ItemId item) {
    auto from = collection(db, id);
    auto mine = item_in(db, id, item);
    if (mine.account_id != me) throw base::Forbidden();
    if (!present(mine)) return;
    db.run(revoke_collection_item, item);
    db.emit(LeftCollection{id, from.account_id, me, item});
}

namespace {

struct Between {
    ItemId id;
    CollectionId collection;
    AccountId owner, account;
    bool owner_local = false, account_local = false;
};
DESCRIBE(Between, id, collection, owner, account, owner_local, account_local)

}  // namespace

const db::Query<Between> items_between{
    "items_between",
    R"(SELECT i.id, c.id AS collection, c.account_id AS owner, i.account_id AS account, c.local AS owner_local,
              a.domain = '' AS account_local
       FROM collections c JOIN collection_items i ON i.collection_id = c.id JOIN accounts a ON a.id = i.account_id
       WHERE c.account_id = $1 AND i.account_id = $2 AND i.state IN ('pending', 'accepted'))"
};

void drop_blocked(db::Write& db, const relationships::Blocked& e) {
    for (auto [owner, member] : {std::pair{e.account, e.target}, std::pair{e.target, e.account}}) {
        for (const auto& item : db.all(items_between, owner, member)) {
            // Blocking the owner of a remote collection revokes the consent that was given here.
            if (!item.owner_local && item.account_local && member == e.account) {
                db.run(revoke_collection_item, item.id);
                db.emit(LeftCollection{item.collection, owner, member, item.id});
                continue;
            }
            db.run(delete_item, item.id);
            if (item.owner_local) db.emit(ItemRemoved{item.collection, owner, member, item.id});
        }
    }
}

#define ITEMS                                                            \
    "SELECT i.id, i.collection_id, i.account_id, i.state, i.created_at " \
    "FROM collection_items i JOIN accounts a ON a.id = i.account_id "    \
    "WHERE i.state IN ('pending', 'accepted') AND a.suspended_at IS NULL "

const db::Query<Item> items_of_collections{
    "items_of_collections", ITEMS "AND i.collection_id IN LIST($1) ORDER BY i.position, i.id"
};

std::vector<Item> items_of(db::Read& db, const std::vector<CollectionId>& ids) {
    if (ids.empty()) return {};
    return db.all(items_of_collections, ids);
}

const db::Command drop_own_collection_items{
    "drop_own_collection_items",
    R"(DELETE FROM collection_items WHERE account_id = $1 AND id IN (
           SELECT id FROM collection_items WHERE account_id = $1 ORDER BY id LIMIT $2))"
};

}  // namespace collections
