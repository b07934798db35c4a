// SPDX-License-Identifier: AGPL-3.0-or-later
// Finding accounts by a part of their names.
#pragma once
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

}  // namespace accounts
