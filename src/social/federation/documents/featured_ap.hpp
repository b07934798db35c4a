// SPDX-License-Identifier: AGPL-3.0-or-later
// Local collections as ActivityPub documents (FEP-7aa9), and the activities that are sent when they change.
#pragma once
#include "ap/write.hpp"
#include "social/accounts/account.hpp"
#include "social/collections/remote.hpp"

namespace federation {

using accounts::Account;
using collections::Collection;
using collections::CollectionId;

// Those of one account, in the order given.
std::vector<ap::write::FeaturedCollection>
to_featured(db::Read&, const Account& owner, const std::vector<Collection>&);
std::string featured_collection(db::Read&, const Account& owner, const Collection&);
// Throw NotFound when the item is not accepted, or not of this owner or account.
std::string featured_item(db::Read&, const Account& owner, collections::ItemId);
std::string feature_authorization(db::Read&, const Account&, collections::ItemId);

// Only discoverable ones; empty when the account is hidden from the reader.
std::string featured_collections(db::Read&, const Account&);
std::string featured_collections_page(db::Read&, const Account&, std::int64_t number, bool hidden);

// Activities; the numbers become part of their ids.
std::string add_collection_activity(db::Read&, const Account& owner, const Collection&, std::int64_t number);
std::string update_collection_activity(db::Read&, const Account& owner, const Collection&);
std::string remove_collection_activity(db::Read&, const Account& owner, CollectionId, std::int64_t number);
std::string add_item_activity(db::Read&, const Account& owner, const Collection&, collections::ItemId);
std::string remove_item_activity(db::Read&, const Account& owner, CollectionId, collections::ItemId);
std::string delete_feature_authorization_activity(db::Read&, const collections::Consent&);
std::string feature_request_activity(db::Read&, const collections::Consent&);
std::string feature_answer_activity(db::Read&, const collections::FeatureAnswered&, std::int64_t number);

}  // namespace federation
