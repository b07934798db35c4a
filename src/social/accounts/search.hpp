// SPDX-License-Identifier: AGPL-3.0-or-later
// Finding accounts by a part of their names.
#pragma once
#include "jobs/reactions.hpp"
#include "social/accounts/account.hpp"

namespace accounts {

struct Search {
    std::string query;
    int limit = 40, offset = 0;
    bool following = false;  // only those the viewer follows
    bool exact = false;      // only the account of this very name
};

// The exact handle first, then whom the viewer follows, then the most followed. Suspended ones are left out.
std::vector<AccountId> search(db::Read&, AccountId viewer, const Search&);

// The searchable words of accounts' names, over which a full text index stands.

// To be called when an account is new or its names have changed.
void index_names(db::Write&, AccountId);
void forget_names(db::Write&, AccountId);

// Accounts with smaller ids that were here before the index.
struct NameIndexContinued {
    AccountId below;
};
DESCRIBE(NameIndexContinued, below)
jobs::Change index_older_names(db::Read&, const NameIndexContinued&);

}  // namespace accounts
