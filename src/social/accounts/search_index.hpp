// SPDX-License-Identifier: AGPL-3.0-or-later
// The searchable words of accounts' names, over which a full text index stands.
#pragma once
#include "social/accounts/account.hpp"

namespace accounts {

// To be called when an account is new or its names have changed.
void index_names(db::Write&, AccountId);
void forget_names(db::Write&, AccountId);

// Accounts with smaller ids that were here before the index.
struct NamesLeft {
    AccountId below;
};
DESCRIBE(NamesLeft, below)
void index_older_names(db::Write&, const NamesLeft&);

}  // namespace accounts
