// SPDX-License-Identifier: AGPL-3.0-or-later
// Applies the rules about a server to the known accounts on it.
#pragma once
#include "social/accounts/account.hpp"
#include "social/instance/domain_block.hpp"

namespace accounts {

// Accounts of this domain are known.
void note_server(db::Write&, std::string_view domain);

// Iterates over the domains of known accounts that rules about `domain` cover, starting after `after` (a
// result, or empty); nullopt at the end.
std::optional<std::string> next_domain_within(db::Read&, std::string_view domain, std::string_view after);

std::vector<AccountId> accounts_of_server(db::Read&, std::string_view server, AccountId after, int limit);

// Limits accounts of servers that are under the same rules; returns how many changed. If any were suspended
// or unsuspended, the caller has to emit media::SuspensionsChanged.
struct LimitedAccounts {
    std::int64_t changed = 0;
    bool suspensions = false;
};
LimitedAccounts limit_accounts(db::Write&, const std::vector<AccountId>&, const instance::DomainLimit&);

// Adjusts counters when many follows end together: an account is listed once per lost follow, and its counter
// is updated once.
void count_follows_ended(
    db::Write&, const std::vector<AccountId>& followers, const std::vector<AccountId>& followed
);

// Accounts of `server`, one of the domains within `domain`; those with greater ids than `after` are left.
struct ServerLimitsContinued {
    std::string domain, server;
    AccountId after;
};
DESCRIBE(ServerLimitsContinued, domain, server, after)

// Reactions: suspend and silence the accounts as the rules now say, and lift what only former rules imposed;
// some hundred at a time.
void begin_limits(db::Write&, const instance::ServerLimited&);
void continue_limits(db::Write&, const ServerLimitsContinued&);

}  // namespace accounts
