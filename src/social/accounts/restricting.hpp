// SPDX-License-Identifier: AGPL-3.0-or-later
// Decisions of moderators about one account, local or remote. They are independent of rules about its server
// and of what its server says of it: the account is restricted while any of them applies.
#pragma once
#include "social/accounts/account.hpp"

namespace accounts {

// Event: a remote account was suspended here.
struct AccountSuspended {
    AccountId account;
};
DESCRIBE(AccountSuspended, account)

// Hides the account at once; a job stops serving its pictures. Lasts until unsuspend(), or until the data is
// deleted a month later (administering.hpp); each call restarts that month. Follows by and of a remote
// account end. Meanwhile nobody can sign up with its e-mail address. A deleted account is not changed.
void suspend(db::Write&, AccountId);
void unsuspend(db::Write&, AccountId);

// Limited: its posts reach only its followers, its follows need approval, it notifies only followers.
void silence(db::Write&, AccountId);
void unsilence(db::Write&, AccountId);

// Marks all media that it has posted and will post as sensitive.
void sensitize(db::Write&, AccountId);
void unsensitize(db::Write&, AccountId);

struct Restrictions {
    bool suspended = false;
    std::string suspended_by;  // 'domain', 'remote', 'gone'; empty: a decision about this account
    bool limited = false;
    std::string limited_by;  // 'domain'
};
DESCRIBE(Restrictions, suspended, suspended_by, limited, limited_by)
Restrictions restrictions(db::Read&, AccountId);  // throws NotFound

}  // namespace accounts
