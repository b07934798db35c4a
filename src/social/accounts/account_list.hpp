// SPDX-License-Identifier: AGPL-3.0-or-later
// Accounts as rows of a list.
#pragma once
#include "social/accounts/account_entity.hpp"

namespace accounts {

// `cursor` is used for paging: the id of the follow, block, favourite …; `version` is the account's.
struct ListedAccount {
    std::int64_t cursor = 0;
    AccountId account;
    std::int64_t version = 0;
};
DESCRIBE(ListedAccount, cursor, account, version)

// JSON array in the order given, without accounts that are not visible to the API.
std::string render_list(db::Read&, const std::vector<ListedAccount>&, bool logged_in);

// VIEWER and NOW name parameters: no block in either direction and no mute hides the account from the viewer.
// The tables blocks and mutes belong to relationships.
#define NOT_HIDDEN_FROM(VIEWER, NOW, ACCOUNT)                                                           \
    "NOT EXISTS (SELECT 1 FROM blocks b WHERE b.account_id = " VIEWER " AND b.target_id = " ACCOUNT     \
    ") "                                                                                                \
    "AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.account_id = " ACCOUNT " AND b.target_id = " VIEWER \
    ") "                                                                                                \
    "AND NOT EXISTS (SELECT 1 FROM mutes m WHERE m.account_id = " VIEWER " AND m.target_id = " ACCOUNT  \
    " AND (m.expires_at IS NULL OR m.expires_at > " NOW ")) "

}  // namespace accounts
