// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/account_entity.hpp"

#include "social/accounts/profile/picture.hpp"

namespace accounts {

namespace {

struct Partial {
    AccountId id;
    std::string acct;
    bool locked = false, bot = false;
    std::string url, avatar, avatar_static, avatar_description;
};
DESCRIBE(Partial, id, acct, locked, bot, url, avatar, avatar_static, avatar_description)

Partial partial(const base::Site& site, const Account& a) {
    bool bot = a.actor_type == "Service" || a.actor_type == "Application";
    return {
        a.id,
        a.acct(),
        a.locked,
        bot,
        url_of(site, a),
        picture_address(site, a, PictureOf::avatar),
        picture_address(site, a, PictureOf::avatar_static),
        a.avatar_description
    };
}

}  // namespace

std::string render_partial(db::Read& db, std::span<const Version> wanted) {
    std::vector<AccountId> ids;
    for (const auto& one : wanted) ids.push_back(one.id);
    std::unordered_map<AccountId, Account> rows;
    for (auto& row : accounts(db, ids)) rows.emplace(row.id, std::move(row));
    std::vector<Partial> out;
    for (auto id : ids)
        if (auto row = rows.find(id); row != rows.end()) out.push_back(partial(db.site(), row->second));
    return base::json::to_string(out);
}

}  // namespace accounts
