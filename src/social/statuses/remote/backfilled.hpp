// SPDX-License-Identifier: AGPL-3.0-or-later
// Events and constants that only remote statuses need.
#pragma once
#include "social/statuses/core/status.hpp"

namespace statuses {

// The author of the parent of a remote status, until the parent is known.
constexpr AccountId unknown_account{-1};

// Event: an older remote status was fetched. It is sorted by its date, and causes no notifications.
struct Backfilled {
    StatusId id;
    AccountId account;
};
DESCRIBE(Backfilled, id, account)

// Event: the parent or the quoted status is not known here, or the quoted author's consent has not been
// checked. `depth`: the distance from the status that was requested.
struct RelatedWanted {
    StatusId id;
    int depth = 0;
};
DESCRIBE(RelatedWanted, id, depth)

}  // namespace statuses
