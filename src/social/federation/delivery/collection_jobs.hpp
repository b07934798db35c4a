// SPDX-License-Identifier: AGPL-3.0-or-later
// Collections of ours as other servers learn of them, and the consent of accounts between servers (FEP-7aa9): reactions.
#pragma once
#include "jobs/reactions.hpp"
#include "social/collections/remote.hpp"

namespace federation {

void tell_collection_made(db::Write&, const collections::CollectionMade&);
void tell_collection_changed(db::Write&, const collections::CollectionChanged&);
void tell_collection_deleted(db::Write&, const collections::CollectionDeleted&);
void tell_item_added(db::Write&, const collections::ItemAdded&);
void tell_item_removed(db::Write&, const collections::ItemRemoved&);

void ask_to_feature(db::Write&, const collections::FeatureWanted&);
void tell_feature_answered(db::Write&, const collections::FeatureAnswered&);
jobs::Change tell_feature_revoked(db::Read&, const collections::LeftCollection&);

}  // namespace federation
