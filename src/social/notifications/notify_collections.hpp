// SPDX-License-Identifier: AGPL-3.0-or-later
// Who is told of collections.
#pragma once
#include "social/collections/collection.hpp"
#include "social/notifications/attachment.hpp"

namespace notifications {

// Reactions. A collection holds few enough accounts to tell all of them at once.
void tell_added_to_collection(db::Write&, const collections::AddedToCollection&);
void tell_collection_changed(db::Write&, const collections::CollectionChanged&);
void forget_collection(db::Write&, const collections::CollectionDeleted&);

JsonById render_collections(db::Read&, const statuses::Audience&, const std::vector<std::int64_t>& ids);

}  // namespace notifications
