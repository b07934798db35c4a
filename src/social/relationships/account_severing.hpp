// SPDX-License-Identifier: AGPL-3.0-or-later
// Accounts of other servers that moderators suspend: nobody here follows them any more, nor they anybody here.
#pragma once
#include "social/accounts/restricting.hpp"
#include "social/relationships/severance.hpp"

namespace relationships {

// Follows with `account` are still to be ended. Events of `first` and later tell who lost some.
struct AccountSeveringLeft {
    SeveranceId first;
    AccountId account;
};
DESCRIBE(AccountSeveringLeft, first, account)

// Reactions, some hundred at a time
void begin_account_severing(db::Write&, const accounts::AccountSuspended&);
void continue_account_severing(db::Write&, const AccountSeveringLeft&);

}  // namespace relationships
