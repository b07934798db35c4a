// SPDX-License-Identifier: AGPL-3.0-or-later
// Users who have been inactive for so long that nothing is prepared for them.
#pragma once
#include "base/time.hpp"
#include "db/session.hpp"

namespace accounts {

// Event: a user is active again after an absence.
struct CameBack {
    base::AccountId account;
};
DESCRIBE(CameBack, account)

// Marks the user as away. Returns false if they were active since `since`, or are away already.
bool note_away(db::Write&, base::UserId, base::Time since);
bool still_away(db::Read&, base::UserId);
bool is_away(db::Read&, base::AccountId);

void end_absence(db::Write&, base::UserId);  // called when they are active

}  // namespace accounts
