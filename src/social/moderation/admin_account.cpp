// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/admin_account.hpp"

#include "social/accounts/account_entity.hpp"
#include "social/accounts/administering.hpp"

#include <algorithm>
#include <map>

namespace moderation {

namespace {

struct LoginFacts {
    AccountId account_id;
    base::UserId id;
    std::string email;
    bool confirmed = false, approved = false, disabled = false;
    std::string locale;
    std::optional<std::string> reason;
    base::RoleId role_id;
    std::optional<base::AppId> app;
    std::optional<AccountId> invited_by;
};
DESCRIBE(
    LoginFacts, account_id, id, email, confirmed, approved, disabled, locale, reason, role_id, app, invited_by
)

}  // namespace

// users and invites belong to accounts.
const db::Query<LoginFacts> logins_for_staff{
    "logins_for_staff",
    R"(SELECT u.account_id, u.id, u.email, u.confirmed_at IS NOT NULL AS confirmed, u.approved, u.disabled, u.locale,
              u.reason, u.role_id, u.created_by_app_id AS app, i.account_id AS invited_by
       FROM users u LEFT JOIN invites i ON i.code = u.invite_code WHERE u.account_id IN LIST($1))"
};

namespace {

using Addresses = std::map<base::UserId, std::vector<AdminIp>>;

Addresses addresses(db::Read& db, const std::vector<LoginFacts>& logins) {
    std::vector<base::UserId> users;
    for (const auto& login : logins) users.push_back(login.id);
    Addresses out;
    for (auto& one : accounts::addresses_of(db, users))
        out[one.user_id].push_back({std::move(one.address), one.used_at});
    return out;
}

// Those that do not exist for the API are rendered all the same.
accounts::RenderedAccounts rendered(db::Read& db, const std::vector<accounts::Account>& found) {
    std::vector<accounts::Version> versions;
    for (const auto& a : found) versions.push_back({a.id, a.version});
    auto out = accounts::render(db, versions);
    for (const auto& a : found)
        if (!out.contains(a.id)) out.emplace(a.id, accounts::render(db, a));
    return out;
}

void add_login(
    AdminAccount& to, const LoginFacts& login, const std::vector<accounts::Role>& roles,
    const Addresses& known, const std::string& site_language
) {
    to.email = login.email;
    to.confirmed = login.confirmed;
    to.approved = login.approved;
    to.disabled = login.disabled;
    to.locale = login.locale.empty() ? site_language : login.locale;
    to.invite_request = login.reason;
    auto found = known.find(login.id);
    to.ips = found == known.end() ? std::vector<AdminIp>{} : found->second;
    if (!to.ips->empty()) to.ip = to.ips->front().ip;
    auto everyones = std::ranges::find(roles, accounts::everyone, &accounts::Role::id);
    auto own = std::ranges::find(roles, login.role_id, &accounts::Role::id);
    if (own == roles.end()) own = everyones;
    to.role = accounts::entity(*own, everyones->permissions);
    to.created_by_application_id = login.app;
    to.invited_by_account_id = login.invited_by;
}

}  // namespace

std::vector<AdminAccount> admin_accounts(db::Read& db, const std::vector<AccountId>& ids) {
    if (ids.empty()) return {};
    auto found = accounts::accounts_for_staff(db, ids);
    auto logins = db.all(logins_for_staff, ids);
    auto known = addresses(db, logins);
    auto roles = accounts::roles(db);
    auto shown = rendered(db, found);
    std::vector<AdminAccount> out;
    for (auto id : ids) {
        auto a = std::ranges::find(found, id, &accounts::Account::id);
        if (a == found.end()) continue;
        AdminAccount one{id, a->username};
        if (!a->local()) one.domain = a->domain;
        one.created_at = a->created_at;
        one.suspended = a->suspended_at.has_value();
        one.silenced = a->silenced_at.has_value();
        one.sensitized = a->sensitized_at.has_value();
        one.account = {shown.find(id)->second->for_viewer(true)};
        auto login = std::ranges::find(logins, id, &LoginFacts::account_id);
        if (login != logins.end()) add_login(one, *login, roles, known, db.site().language);
        out.push_back(std::move(one));
    }
    return out;
}

AdminAccount admin_account(db::Read& db, AccountId id) {
    auto found = admin_accounts(db, {id});
    if (found.empty()) throw base::NotFound();
    return std::move(found[0]);
}

}  // namespace moderation
