// SPDX-License-Identifier: AGPL-3.0-or-later
// The PartialAccountWithAvatar entity: enough of an account to show its picture.
#pragma once
#include "social/accounts/account_entity.hpp"

namespace accounts {

// JSON array in the order given.
std::string render_partial(db::Read&, std::span<const Version>);

}  // namespace accounts
