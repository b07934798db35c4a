// SPDX-License-Identifier: AGPL-3.0-or-later
// The accounts that staff searches for, newest first.
#pragma once
#include "base/page.hpp"
#include "social/accounts/users/role.hpp"

namespace moderation {

using base::AccountId;

BOOST_DEFINE_ENUM_CLASS(AccountOrigin, local, remote)
BOOST_DEFINE_ENUM_CLASS(AccountState, active, pending, disabled, silenced, suspended, sensitized)

// All given conditions must hold. Empty texts are ignored.
struct AccountFilter {
    std::optional<AccountOrigin> origin;
    std::optional<AccountState> state;
    std::string by_domain;  // overrides the origin
    std::string username, display_name, email, ip;
    bool staff = false;
    std::vector<base::RoleId> roles;
    std::optional<AccountId> invited_by;
};

std::vector<AccountId> find_accounts(db::Read&, const AccountFilter&, const base::Range&);

}  // namespace moderation
