// SPDX-License-Identifier: AGPL-3.0-or-later
// Accounts as the rows of some list name them.
#pragma once
#include "social/accounts/account_entity.hpp"

namespace accounts {

// `cursor` cuts the pages: the id of the follow, block, favourite … ; `version` is the account's.
struct ListedAccount {
    std::int64_t cursor = 0;
    AccountId account;
    std::int64_t version = 0;
};
DESCRIBE(ListedAccount, cursor, account, version)

// JSON array in the order given; those that do not exist for the API are left out.
std::string render_list(db::Read&, const std::vector<ListedAccount>&, bool logged_in);

// $viewer and $now name parameters: the account is hidden from the viewer by no block in either direction and by
// no mute. blocks and mutes belong to relationships.
#define NOT_HIDDEN_FROM(VIEWER, NOW, ACCOUNT)                                                           \
    "NOT EXISTS (SELECT 1 FROM blocks b WHERE b.account_id = " VIEWER " AND b.target_id = " ACCOUNT     \
    ") "                                                                                                \
    "AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.account_id = " ACCOUNT " AND b.target_id = " VIEWER \
    ") "                                                                                                \
    "AND NOT EXISTS (SELECT 1 FROM mutes m WHERE m.account_id = " VIEWER " AND m.target_id = " ACCOUNT  \
    " AND (m.expires_at IS NULL OR m.expires_at > " NOW ")) "

}  // namespace accounts
