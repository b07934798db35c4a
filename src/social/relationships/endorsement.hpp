// SPDX-License-Identifier: AGPL-3.0-or-later
// Accounts that somebody features on their profile, and private notes about accounts. Neither is federated.
#pragma once
#include "base/page.hpp"
#include "social/accounts/account_list.hpp"

namespace relationships {

void endorse(db::Write&, base::AccountId me, base::AccountId target);  // throws Invalid: not followed
void unendorse(db::Write&, base::AccountId me, base::AccountId target);

// By account id, greatest first; the cursor is the account. Without suspended ones.
std::vector<accounts::ListedAccount> endorsements(db::Read&, base::AccountId by, const base::Range&);

// A blank comment removes the note. Throws Invalid: too long.
void set_note(db::Write&, base::AccountId me, base::AccountId about, std::string_view comment);

}  // namespace relationships
