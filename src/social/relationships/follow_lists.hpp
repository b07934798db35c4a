// SPDX-License-Identifier: AGPL-3.0-or-later
// Pages of who follows whom. A page is cut by the id of the follow, not of the account.
#pragma once
#include "base/page.hpp"
#include "social/accounts/account.hpp"

namespace relationships {

struct ListedAccount {
    std::int64_t cursor = 0;
    base::AccountId account;
};
DESCRIBE(ListedAccount, cursor, account)

// Newest first. For somebody else's list, accounts the viewer blocks or mutes or that block the viewer are left
// out; viewer 0 is nobody.
std::vector<ListedAccount>
followers(db::Read&, base::AccountId of, base::AccountId viewer, const base::Range&);
std::vector<ListedAccount>
following(db::Read&, base::AccountId of, base::AccountId viewer, const base::Range&);
std::vector<ListedAccount> follow_requests(db::Read&, base::AccountId to, const base::Range&);

// Whether this viewer sees the network of an account at all.
bool network_visible(db::Read&, const accounts::Account&, base::AccountId viewer);

}  // namespace relationships
