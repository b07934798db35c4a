// SPDX-License-Identifier: AGPL-3.0-or-later
// What moderators decide about one account, of this site or another. It stands beside the rules about its server and what
// its server says of it: whichever is left restricts it still.
#pragma once
#include "social/accounts/account.hpp"

namespace accounts {

// Event: an account of another server is suspended here.
struct AccountSuspended {
    AccountId account;
};
DESCRIBE(AccountSuspended, account)

// Hidden at once, and its pictures are no longer served as soon as a job has had its turn. Stays
// as it is until unsuspend(), or the end of a month (administering.hpp), which begins anew with each call; follows of and by
// one of another site end. Nobody signs up with its address meanwhile. An account that is gone stays as it is.
void suspend(db::Write&, AccountId);
void unsuspend(db::Write&, AccountId);

// Limited: its posts reach only who follows it, its follows have to be approved, it notifies followers only.
void silence(db::Write&, AccountId);
void unsilence(db::Write&, AccountId);

// All media that it posts and has posted are marked.
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
