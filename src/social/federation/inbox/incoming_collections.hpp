// SPDX-License-Identifier: AGPL-3.0-or-later
// Activities about collections (FEP-7aa9): creation, change and deletion; requesting, giving, refusing and
// revoking consent. A preparing function returns an empty result when there is nothing to do.
#pragma once
#include "ap/incoming.hpp"
#include "social/federation/fetch/read_collection.hpp"

namespace federation {

// FeatureRequest: a remote account wants to add a local account to a collection.
std::optional<collections::FeatureRequest> feature_wanted(const base::Ask&, db::Read&, const ap::Incoming&);
bool take_feature_request(db::Write&, const collections::FeatureRequest&);

// Accept and Reject of a request of ours.
struct FeatureConsent {
    collections::ItemId item;
    std::string authorization_uri;
};
std::optional<FeatureConsent> consented_feature(db::Read&, const ap::Incoming&);
bool take_consent(db::Write&, const FeatureConsent&);
std::optional<std::vector<collections::ItemId>> refused_feature(db::Read&, const ap::Incoming&);
// Delete of an authorization, in all collections that have it.
std::optional<std::vector<collections::ItemId>> revoked_feature(db::Read&, const ap::Incoming&);
bool take_feature_end(db::Write&, const std::vector<collections::ItemId>&);

// Add to the actor's list of collections, and Update of a known one.
std::optional<ReadCollection> added_collection(const base::Ask&, db::Read&, const ap::Incoming&);
std::optional<ReadCollection> updated_collection(const base::Ask&, db::Read&, const ap::Incoming&);
bool take_collection(db::Write&, const ReadCollection&);
// Remove from that list, and Delete.
std::optional<CollectionId> removed_collection(db::Read&, const ap::Incoming&);
std::optional<CollectionId> deleted_collection(db::Read&, const ap::Incoming&);
bool take_collection_end(db::Write&, const CollectionId&);

// Add to and Remove from a known collection of the actor.
std::optional<collections::RemoteItem> added_item(const base::Ask&, db::Read&, const ap::Incoming&);
bool take_item(db::Write&, const collections::RemoteItem&);
struct RemovedItem {
    CollectionId collection;
    std::string uri;
};
std::optional<RemovedItem> removed_item(db::Read&, const ap::Incoming&);
bool take_item_end(db::Write&, const RemovedItem&);

}  // namespace federation
