// SPDX-License-Identifier: AGPL-3.0-or-later
// Files of suspended accounts. Their URLs are known and files are served without asking the database, so the
// files are moved out of the served folders, and back when the account is unsuspended.
#pragma once
#include "db/session.hpp"
#include "jobs/reactions.hpp"

namespace media {

// Event: some accounts were suspended or unsuspended. Their state is looked up when the job runs.
struct SuspensionsChanged {
    std::vector<base::AccountId> accounts;
    // The progress for the first account: existing statuses, then deleted ones.
    bool deleted = false;
    base::StatusId after;
};
DESCRIBE(SuspensionsChanged, accounts, deleted, after)

// For server/reactions.cpp, `asks`. Copies of remote pictures are removed; they are made again on demand.
jobs::Change withhold_or_restore(const base::Ask&, db::Read&, const SuspensionsChanged&);

}  // namespace media
