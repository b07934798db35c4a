// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/discovery/search.hpp"

#include "base/uris.hpp"
#include "social/accounts/account.hpp"
#include "social/former/former.hpp"

#include <charconv>

namespace discovery {

namespace {

collections::CollectionId collection_of_page(const base::Site& site, std::string_view address) {
    const auto pages = site.public_url + "/collections/";
    std::int64_t id = 0;
    if (address.starts_with(pages)) {
        const auto number = address.substr(pages.size());
        const auto [end, failed] = std::from_chars(number.data(), number.data() + number.size(), id);
        if (failed != std::errc() || end != number.data() + number.size()) return {};
    }
    return {id};
}

}  // namespace

Resolved resolve_local(db::Read& db, std::string_view url) {
    using base::uris::Kind;
    const auto address = url.substr(0, url.find_first_of("?#"));
    if (const auto id = collection_of_page(db.site(), address)) return {{}, {}, id};
    auto found = former::ours(db, address);
    if (!found) return {};
    if (found->kind == Kind::collection) return {{}, {}, {found->id}};
    if (found->kind == Kind::status || found->kind == Kind::activity) return {{}, found->status()};
    if (found->kind != Kind::actor) return {};
    auto account = found->username.empty() ? accounts::find_account(db, found->account)
                                           : accounts::find_by_acct(db, found->username);
    return {account ? account->id : base::AccountId{}, {}};
}

}  // namespace discovery
