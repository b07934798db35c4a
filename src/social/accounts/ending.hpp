// SPDX-License-Identifier: AGPL-3.0-or-later
// Accounts of this site that are deleted for good.
#pragma once
#include "social/accounts/account.hpp"

namespace accounts {

// What the account was is forgotten, its login ends, and jobs take away what it did and said (AccountGone). The name
// stays taken, so that nobody inherits anything. Throws NotFound: no account of this site, or deleted before.
void delete_local(db::Write&, AccountId);
bool is_gone(db::Read&, AccountId);

// Those that were suspended a month ago, some at a time: periodic.
void delete_long_suspended(db::Write&);

}  // namespace accounts
