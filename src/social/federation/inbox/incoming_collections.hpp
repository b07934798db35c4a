// SPDX-License-Identifier: AGPL-3.0-or-later
// Collections as other servers speak of them (FEP-7aa9): made, changed and ended; asking for consent, giving, refusing
// and taking it back. A preparing function answers nothing where there is nothing to do here.
#pragma once
#include "ap/incoming.hpp"
#include "social/federation/fetch/read_collection.hpp"

namespace federation {

// FeatureRequest: somebody there wants to put somebody here into a collection.
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
// Delete of an authorization: in whichever collections it stands.
std::optional<std::vector<collections::ItemId>> revoked_feature(db::Read&, const ap::Incoming&);
bool take_feature_end(db::Write&, const std::vector<collections::ItemId>&);

// Add to the actor's own list, and Update of what is known here.
std::optional<ReadCollection> added_collection(const base::Ask&, db::Read&, const ap::Incoming&);
std::optional<ReadCollection> updated_collection(const base::Ask&, db::Read&, const ap::Incoming&);
bool take_collection(db::Write&, const ReadCollection&);
// Remove from the list, and Delete.
std::optional<CollectionId> removed_collection(db::Read&, const ap::Incoming&);
std::optional<CollectionId> deleted_collection(db::Read&, const ap::Incoming&);
bool take_collection_end(db::Write&, const CollectionId&);

// Add to and Remove from a collection of the actor that is known here.
std::optional<collections::RemoteItem> added_item(const base::Ask&, db::Read&, const ap::Incoming&);
bool take_item(db::Write&, const collections::RemoteItem&);
struct RemovedItem {
    CollectionId collection;
    std::string uri;
};
std::optional<RemovedItem> removed_item(db::Read&, const ap::Incoming&);
bool take_item_end(db::Write&, const RemovedItem&);

}  // namespace federation
