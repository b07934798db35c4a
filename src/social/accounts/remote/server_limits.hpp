// SPDX-License-Identifier: AGPL-3.0-or-later
// What the rules about a server mean for the accounts that are known from there.
#pragma once
#include "social/accounts/account.hpp"
#include "social/instance/domain_block.hpp"

namespace accounts {

// Accounts are known from there.
void note_server(db::Write&, std::string_view domain);

// One domain of known accounts after the other for which rules about `domain` hold, from `after`, which was such a one, or
// empty; nothing at the end.
std::optional<std::string> next_domain_within(db::Read&, std::string_view domain, std::string_view after);

std::vector<AccountId> accounts_of_server(db::Read&, std::string_view server, AccountId after, int limit);

// Accounts of servers about which rules say the same become that; how many were not before. Where some were suspended or
// are no longer, media::SuspensionsChanged is left to be emitted.
struct LimitedAccounts {
    std::int64_t changed = 0;
    bool suspensions = false;
};
LimitedAccounts limit_accounts(db::Write&, const std::vector<AccountId>&, const instance::DomainLimit&);

// Counters where many follows end together: each account is there as often as it lost one, and its counter moves once.
void count_follows_ended(
    db::Write&, const std::vector<AccountId>& followers, const std::vector<AccountId>& followed
);

// Accounts of `server`, one of the domains within `domain`, with greater ids than `after` are left.
struct ServerLimitsContinued {
    std::string domain, server;
    AccountId after;
};
DESCRIBE(ServerLimitsContinued, domain, server, after)

// Reactions: they are suspended and silenced as the rules say now, and those that were because of rules of before are
// not any more; some hundred at a time.
void begin_limits(db::Write&, const instance::ServerLimited&);
void continue_limits(db::Write&, const ServerLimitsContinued&);

}  // namespace accounts
