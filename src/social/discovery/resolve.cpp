// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/discovery/search.hpp"

#include "base/uris.hpp"
#include "social/accounts/account.hpp"
#include "social/former/former.hpp"

namespace discovery {

Resolved resolve_local(db::Read& db, std::string_view url) {
    using base::uris::Kind;
    auto found = former::ours(db, url.substr(0, url.find_first_of("?#")));
    if (!found) return {};
    if (found->kind == Kind::status || found->kind == Kind::activity) return {{}, found->status()};
    if (found->kind != Kind::actor) return {};
    auto account = found->username.empty() ? accounts::find_account(db, found->account)
                                           : accounts::find_by_acct(db, found->username);
    return {account ? account->id : base::AccountId{}, {}};
}

}  // namespace discovery
