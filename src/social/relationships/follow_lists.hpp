// SPDX-License-Identifier: AGPL-3.0-or-later
// Pages of who follows, blocks and mutes whom. A page is cut by the id of the follow, block or mute, not of the
// account; newest first.
#pragma once
#include "base/page.hpp"
#include "social/accounts/account_list.hpp"

namespace relationships {

using accounts::ListedAccount;

// For somebody else's list, accounts the viewer blocks or mutes or that block the viewer are left out; viewer 0 is
// nobody.
std::vector<ListedAccount>
followers(db::Read&, base::AccountId of, base::AccountId viewer, const base::Range&);
std::vector<ListedAccount>
following(db::Read&, base::AccountId of, base::AccountId viewer, const base::Range&);

// One's own lists, without suspended accounts.
std::vector<ListedAccount> follow_requests(db::Read&, base::AccountId to, const base::Range&);
std::vector<ListedAccount> blocks(db::Read&, base::AccountId by, const base::Range&);

struct MutedAccount {
    std::int64_t cursor = 0;
    base::AccountId account;
    std::int64_t version = 0;
    std::optional<base::Time> expires_at;
};
DESCRIBE(MutedAccount, cursor, account, version, expires_at)
std::vector<MutedAccount> mutes(db::Read&, base::AccountId by, const base::Range&);

// Whether somebody here follows the account: what decides if posts of another server concern us.
bool is_followed_here(db::Read&, base::AccountId);
db::Remembering ask_who_is_followed_here(db::Read&, const std::vector<base::AccountId>&);

// Whether this viewer sees the network of an account at all.
bool network_visible(db::Read&, const accounts::Account&, base::AccountId viewer);

// Of those whom the viewer follows, who follows each of these accounts. Hidden networks give and take no part.
struct Familiar {
    base::AccountId of, account;
    std::int64_t version = 0;
};
DESCRIBE(Familiar, of, account, version)
std::vector<Familiar> familiar_followers(
    db::Read&, base::AccountId viewer, const std::vector<base::AccountId>& of
);

}  // namespace relationships
