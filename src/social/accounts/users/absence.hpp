// SPDX-License-Identifier: AGPL-3.0-or-later
// People who were not here for so long that nothing is kept ready for them.
#pragma once
#include "base/time.hpp"
#include "db/session.hpp"

namespace accounts {

// Event: somebody is here again who was away.
struct CameBack {
    base::AccountId account;
};
DESCRIBE(CameBack, account)

// Whether they are away now: nobody is who was here since, or is already.
bool note_away(db::Write&, base::UserId, base::Time since);
bool still_away(db::Read&, base::UserId);
bool is_away(db::Read&, base::AccountId);

void end_absence(db::Write&, base::UserId);  // when they are here

}  // namespace accounts
