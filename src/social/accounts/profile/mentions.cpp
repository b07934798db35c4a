// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/profile/mentions.hpp"

#include <algorithm>

namespace accounts {

Mentions mentions(
    db::Read& db, std::string_view text, std::span<const base::text::Entity> entities,
    const std::function<bool(AccountId)>& allowed
) {
    constexpr std::size_t most = 200;  // a sensible limit; further mentions stay plain text
    Mentions found;
    for (const auto& entity : entities) {
        if (entity.kind != base::text::Entity::mention || found.links.size() >= most) continue;
        auto acct = entity.acct(text);
        if (std::ranges::find(found.links, acct, &base::text::Mention::acct_in_text) != found.links.end())
            continue;
        auto account = find_by_acct(db, acct);
        if (!account || account->suspended_at || (allowed && !allowed(account->id))) continue;
        found.links.push_back({acct, url_of(db.site(), *account), account->username, account->domain});
        if (std::ranges::find(found.accounts, account->id) == found.accounts.end())
            found.accounts.push_back(account->id);
    }
    return found;
}

}  // namespace accounts
