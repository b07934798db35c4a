// SPDX-License-Identifier: AGPL-3.0-or-later
// The directory: accounts that want to be found.
#pragma once
#include "social/accounts/account_list.hpp"

namespace discovery {

BOOST_DEFINE_ENUM_CLASS(Order, active, new_)

struct Directory {
    Order order = Order::active;  // by the last status or by age, newest first
    bool local = false;
    int limit = 40, offset = 0;
};

// Viewer 0 is nobody; accounts hidden from the viewer are left out.
std::vector<accounts::ListedAccount> directory(db::Read&, base::AccountId viewer, const Directory&);

}  // namespace discovery
