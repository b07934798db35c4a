// SPDX-License-Identifier: AGPL-3.0-or-later
// Converts an object of another server to what is stored of it. The caller must have verified that it comes
// from its author.
#pragma once
#include "ap/object.hpp"
#include "social/statuses/remote/remote.hpp"

namespace federation {

using base::AccountId;

// Ids of mentioned actors that are not known here, at most `most`.
std::vector<std::string> unknown_mentions(db::Read&, const ap::Object&, std::size_t most);

// `of_activity` is used when the object itself is addressed to nobody. `recipient`: the account whose own
// inbox received it, or 0. Mentions of accounts that are not known by now are left out.
statuses::RemoteStatus status_of(
    db::Read&, const ap::Object&, AccountId author, const ap::Audience& of_activity, AccountId recipient
);

// Whether objects of this type are shown as statuses.
bool is_status(const ap::Object&);

}  // namespace federation
