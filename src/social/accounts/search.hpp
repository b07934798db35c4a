// SPDX-License-Identifier: AGPL-3.0-or-later
// Search for accounts by parts of their names.
#pragma once
#include "jobs/reactions.hpp"
#include "social/accounts/account.hpp"

namespace accounts {

struct Search {
    std::string query;
    int limit = 40, offset = 0;
    bool following = false;  // only those the viewer follows
    bool exact = false;      // only the account with exactly this name
};

// The exact handle first, then accounts that the viewer follows, then the most followed. Without suspended
// ones.
std::vector<AccountId> search(db::Read&, AccountId viewer, const Search&);

// The searchable words of accounts' names, which have a full-text index.

// Must be called if an account is new or its names have changed.
void index_names(db::Write&, AccountId);
void forget_names(db::Write&, AccountId);

// Accounts with smaller ids, which are older than the index.
struct NameIndexContinued {
    AccountId below;
};
DESCRIBE(NameIndexContinued, below)
jobs::Change index_older_names(db::Read&, const NameIndexContinued&);

}  // namespace accounts
