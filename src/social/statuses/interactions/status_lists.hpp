// SPDX-License-Identifier: AGPL-3.0-or-later
// Pages of ids around statuses: who favourited or reblogged one. Cut by the id of the favourite or the reblog.
#pragma once
#include "base/page.hpp"
#include "social/accounts/account_list.hpp"
#include "social/statuses/core/status.hpp"

namespace statuses {

using accounts::ListedAccount;

// Accounts hidden from the viewer are left out (viewer 0: nobody).
std::vector<ListedAccount> favourited_by(db::Read&, StatusId, AccountId viewer, const base::Range&);
std::vector<ListedAccount> reblogged_by(db::Read&, StatusId, AccountId viewer, const base::Range&);

struct ListedStatus {
    std::int64_t cursor = 0;
    StatusId status;
};
DESCRIBE(ListedStatus, cursor, status)

// What an account has favourited or bookmarked; deleted statuses are skipped before the page is limited.
std::vector<ListedStatus> favourites(db::Read&, AccountId, const base::Range&);
std::vector<ListedStatus> bookmarks(db::Read&, AccountId, const base::Range&);

// A local account bookmarks it or wants to quote it: a remote status is then kept forever
// (remote/old_posts.hpp).
void note_touched(db::Write&, StatusId);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_bookmarks;

// Muted conversations cause no notifications; their posts are still shown.

// The conversation of a status that the account may see; otherwise throws NoSuchStatus.
void mute_conversation(db::Write&, AccountId me, StatusId);
void unmute_conversation(db::Write&, AccountId me, StatusId);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_conversation_mutes;

}  // namespace statuses
