// SPDX-License-Identifier: AGPL-3.0-or-later
// Files of suspended accounts. Their addresses were told and nobody asks the database when one is fetched, so the files
// themselves are taken out of what is served, and put back when the account comes back.
#pragma once
#include "db/session.hpp"
#include "jobs/reactions.hpp"

namespace media {

// Event: some accounts are suspended now, or no longer. Which, is looked up when it is their turn.
struct SuspensionsChanged {
    std::vector<base::AccountId> accounts;
    // How far the first of them has come: the statuses that are there, then the deleted ones.
    bool deleted = false;
    base::StatusId after;
};
DESCRIBE(SuspensionsChanged, accounts, deleted, after)

// For server/reactions.cpp, `asks`. Copies of pictures of other servers are removed: they are made again when somebody
// may look.
jobs::Change withhold_or_restore(const base::Ask&, db::Read&, const SuspensionsChanged&);

}  // namespace media
