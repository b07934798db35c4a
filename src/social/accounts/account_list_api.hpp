// SPDX-License-Identifier: AGPL-3.0-or-later
// A page of accounts, as every list of accounts returns it: the cursor is the id of the row, not of the
// account, and the previous page is requested with since_id.
#pragma once
#include "http/page.hpp"
#include "social/accounts/account_list.hpp"

namespace accounts {

inline http::RawPage page_of_accounts(
    db::Read& db, const std::vector<ListedAccount>& listed, int limit, bool logged_in
) {
    http::RawPage page{render_list(db, listed, logged_in), {}};
    bool full = listed.size() == static_cast<std::size_t>(limit);
    if (!listed.empty())
        page.cursors = base::cursors_of(listed.front().cursor, listed.back().cursor, full, true);
    return page;
}

}  // namespace accounts
