// SPDX-License-Identifier: AGPL-3.0-or-later
// Searching statuses. Somebody finds the public statuses of those who let them be found (`indexable`), and their
// library: what they wrote, were mentioned in, favourited, reblogged, bookmarked or voted in (behaviours 11.17). The
// index proposes; every status found is looked up again, and passes the one rule of visibility.
#pragma once
#include "base/page.hpp"
#include "social/discovery/query.hpp"
#include "social/statuses/core/visibility.hpp"

namespace discovery {

// Newest first. `page` bounds the ids; the first `offset` of what is found are skipped.
std::vector<statuses::Facts> find_statuses(
    db::Read&, const statuses::Audience&, const StatusQuery&, base::Range page, int offset
);

}  // namespace discovery
