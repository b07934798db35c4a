// SPDX-License-Identifier: AGPL-3.0-or-later
// Pages of followers, followed accounts, blocks and mutes. They are paged by the id of the follow, block or
// mute, not of the account; newest first.
#pragma once
#include "base/page.hpp"
#include "social/accounts/account_list.hpp"

namespace relationships {

using accounts::ListedAccount;

// In another account's list, accounts that the viewer blocks or mutes, or that block the viewer, are left
// out; viewer 0: anonymous.
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

// Whether a local account follows the account, which decides whether its posts from another server are
// relevant here.
bool is_followed_here(db::Read&, base::AccountId);
db::Remembering ask_who_is_followed_here(db::Read&, const std::vector<base::AccountId>&);

// Whether this viewer may see the followers and followed accounts of an account.
bool network_visible(db::Read&, const accounts::Account&, base::AccountId viewer);

// For each of these accounts, the accounts followed by the viewer that follow it. Accounts that hide their
// network are excluded on both sides.
struct Familiar {
    base::AccountId of, account;
    std::int64_t version = 0;
};
DESCRIBE(Familiar, of, account, version)
std::vector<Familiar> familiar_followers(
    db::Read&, base::AccountId viewer, const std::vector<base::AccountId>& of
);

}  // namespace relationships
