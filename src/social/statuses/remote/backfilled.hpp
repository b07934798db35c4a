// SPDX-License-Identifier: AGPL-3.0-or-later
// What only statuses of other servers bring about.
#pragma once
#include "social/statuses/core/status.hpp"

namespace statuses {

// Who wrote what a status of another server answers, as long as that is not known here.
constexpr AccountId unknown_account{-1};

// Event: an older status of another server was fetched. It is shown where its date puts it, and nobody is notified.
struct Backfilled {
    StatusId id;
    AccountId account;
};
DESCRIBE(Backfilled, id, account)

// Event: what a status answers or quotes is not known here, or nobody has looked yet whether the quoted author agrees.
// `depth`: how far it is from what somebody wanted.
struct RelatedWanted {
    StatusId id;
    int depth = 0;
};
DESCRIBE(RelatedWanted, id, depth)

}  // namespace statuses
