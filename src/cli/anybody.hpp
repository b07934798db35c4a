// SPDX-License-Identifier: AGPL-3.0-or-later
// For commands that name accounts wherever they are.
#pragma once
#include "cli/console.hpp"
#include "social/accounts/account.hpp"

namespace server {

// As their own server says they are now. Throws Refused when there is nobody.
accounts::AccountId anybody(Console&, const Config&, const std::string& handle_or_address);

}  // namespace server
