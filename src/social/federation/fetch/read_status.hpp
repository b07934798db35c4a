// SPDX-License-Identifier: AGPL-3.0-or-later
// From what another server says a post is to what is stored of it. Whoever calls has decided that the object is its
// author's own word.
#pragma once
#include "ap/object.hpp"
#include "social/statuses/remote/remote.hpp"

namespace federation {

using base::AccountId;

// Ids of people whom the post names and who are not known here; at most so many.
std::vector<std::string> unknown_mentions(db::Read&, const ap::Object&, std::size_t most);

// `of_activity`: stands in when the object says of nobody to whom it is addressed. `recipient`: in whose own inbox it
// was put, 0: nobody's. Whoever it names must be known by now; others are left out.
statuses::RemoteStatus status_of(
    db::Read&, const ap::Object&, AccountId author, const ap::Audience& of_activity, AccountId recipient
);

// Types that are shown as a status at all.
bool is_status(const ap::Object&);

}  // namespace federation
