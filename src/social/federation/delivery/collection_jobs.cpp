// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/delivery/status_jobs.hpp"

#include "base/uris.hpp"
#include "social/federation/delivery/delivery_scope.hpp"
#include "social/federation/documents/featured_ap.hpp"
#include "social/federation/documents/linked.hpp"

#include <algorithm>

namespace federation {

namespace {

std::string object_of(CollectionId id) { return "collection " + std::to_string(id.value); }

// The owner, if it is a local account whose activities are federated.
std::optional<Account> sending_account(db::Read& db, AccountId owner) {
    auto account = accounts::find_account(db, owner);
    if (!account || !account->local() || account->suspended_at) return std::nullopt;
    return account;
}

std::vector<RecipientGroup> recipients_of_collection(AccountId owner, CollectionId id) {
    return {{Source::followers, owner.value}, {Source::featured, id.value}};
}

}  // namespace

// follows belongs to relationships, collection_items to collections.
const db::Query<bool> collection_concerns_others{
    "collection_concerns_others",
    R"(SELECT EXISTS (SELECT 1 FROM follows f JOIN actors t ON t.account_id = f.account_id WHERE f.target_id = $1)
           OR EXISTS (SELECT 1 FROM collection_items i JOIN actors t ON t.account_id = i.account_id
                      WHERE i.collection_id = $2))"
};

namespace {

// To the owner's followers and the members; `former_member`: one who was removed.
template <class Body>
void send_change(db::Write& db, AccountId owner, CollectionId id, AccountId former_member, Body body) {
    auto account = sending_account(db, owner);
    if (!account) return;
    auto left = former_member && !inbox_of(db, former_member).empty() ? wide_inbox_of(db, former_member)
                                                                      : std::string();
    if (left.empty() && !db.one(collection_concerns_others, owner, id)) return;
    auto activity = db.new_id<ActivityId>();
    OutgoingActivity out;
    out.signer = owner;
    out.object = object_of(id);
    out.body = body(*account, activity.value);
    record(db, activity, out);
    if (!left.empty()) deliver(db, activity, {left});
    db.emit(ActivityFanOut{activity, {}, recipients_of_collection(owner, id), left});
}

}  // namespace

void deliver_collection_made(db::Write& db, const collections::CollectionMade& e) {
    send_change(db, e.owner, e.collection, {}, [&](const Account& owner, std::int64_t number) {
        return add_collection_activity(db, owner, collections::collection(db, e.collection), number);
    });
}

void deliver_collection_changed(db::Write& db, const collections::CollectionChanged& e) {
    send_change(db, e.owner, e.collection, {}, [&](const Account& owner, std::int64_t) {
        return update_collection_activity(db, owner, collections::collection(db, e.collection));
    });
}

// The members are only known now.
void deliver_collection_deleted(db::Write& db, const collections::CollectionDeleted& e) {
    auto owner = sending_account(db, e.owner);
    if (!owner || !db.one(collection_concerns_others, e.owner, e.collection)) return;
    auto activity = db.new_id<ActivityId>();
    OutgoingActivity out;
    out.signer = e.owner;
    out.object = object_of(e.collection);
    out.body = remove_collection_activity(db, *owner, e.collection, activity.value);
    record(db, activity, out);
    deliver(db, activity, recipient_page(db, {Source::featured, e.collection.value}).inboxes);
    db.emit(ActivityFanOut{activity, {}, {{Source::followers, e.owner.value}}, {}});
}

void deliver_item_added(db::Write& db, const collections::ItemAdded& e) {
    auto shown = collections::featured(db, {e.collection});
    if (std::ranges::find(shown, e.item, &collections::Featured::id) == shown.end()) return;
    send_change(db, e.owner, e.collection, {}, [&](const Account& owner, std::int64_t) {
        return add_item_activity(db, owner, collections::collection(db, e.collection), e.item);
    });
}

void deliver_item_removed(db::Write& db, const collections::ItemRemoved& e) {
    send_change(db, e.owner, e.collection, e.account, [&](const Account& owner, std::int64_t) {
        return remove_item_activity(db, owner, e.collection, e.item);
    });
}

void ask_to_feature(db::Write& db, const collections::FeatureWanted& e) {
    auto item = collections::consent(db, e.item);
    if (!item || !item->owner_local || item->account_local) return;
    auto inbox = inbox_of(db, item->account);
    if (inbox.empty()) return;
    OutgoingActivity out;
    out.signer = item->owner;
    out.object = object_of(item->collection);
    out.body = feature_request_activity(db, *item);
    send(db, out, {inbox});
}

void deliver_feature_answered(db::Write& db, const collections::FeatureAnswered& e) {
    auto inbox = inbox_of(db, e.owner);
    if (inbox.empty() || !sending_account(db, e.account)) return;
    OutgoingActivity out;
    out.signer = e.account;
    out.object = "feature " + e.collection;
    out.body = feature_answer_activity(db, e, db.new_id<ActivityId>().value);
    send(db, out, {inbox});
}

jobs::Change deliver_feature_revoked(db::Read& db, const collections::LeftCollection& e) {
    auto item = collections::consent(db, e.item);
    if (!item || !sending_account(db, e.account)) return {};
    auto out = std::make_shared<OutgoingActivity>();
    out->signer = e.account;
    out->object = item->collection_uri ? "feature " + *item->collection_uri : object_of(e.collection);
    out->body = linked(db, e.account, delete_feature_authorization_activity(db, *item));
    auto owner = inbox_of(db, e.owner).empty() ? std::string() : wide_inbox_of(db, e.owner);
    auto groups = recipients_of_collection(e.owner, e.collection);
    return [out, owner, groups](db::Write& write) {
        ActivityFanOut way{write.new_id<ActivityId>(), {}, groups, owner};
        record(write, way.activity, *out);
        if (!owner.empty()) deliver(write, way.activity, {owner});
        write.emit(way);
    };
}

}  // namespace federation
