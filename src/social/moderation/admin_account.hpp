// SPDX-License-Identifier: AGPL-3.0-or-later
// Entity Admin::Account: an account with data that only staff may see.
#pragma once
#include "base/json.hpp"
#include "base/schema.hpp"
#include "social/accounts/users/role.hpp"

namespace moderation {

using base::AccountId;

struct AdminIp {
    static constexpr std::string_view entity = "Admin::Ip";
    std::string ip;
    base::Time used_at;
};
DESCRIBE(AdminIp, ip, used_at)

struct AdminAccount {
    static constexpr std::string_view entity = "Admin::Account";
    static constexpr base::json::RawMember raw_members[] = {{"account", "Account"}};
    AccountId id;
    std::string username;
    std::optional<std::string> domain;
    base::Time created_at;
    std::optional<std::string> email, ip;
    std::optional<std::vector<AdminIp>> ips;
    std::optional<bool> confirmed;
    bool suspended = false, silenced = false, sensitized = false;
    std::optional<bool> disabled, approved;
    std::optional<std::string> locale, invite_request;
    std::optional<accounts::RoleEntity> role;
    base::json::Raw account;
    base::json::Omit<base::AppId> created_by_application_id;
    base::json::Omit<AccountId> invited_by_account_id;
};
DESCRIBE(
    AdminAccount, id, username, domain, created_at, email, ip, ips, confirmed, suspended, silenced,
    sensitized, disabled, approved, locale, invite_request, role, account, created_by_application_id,
    invited_by_account_id
)

// In the order of the ids; unknown ones are left out.
std::vector<AdminAccount> admin_accounts(db::Read&, const std::vector<AccountId>&);
AdminAccount admin_account(db::Read&, AccountId);  // throws NotFound

}  // namespace moderation
