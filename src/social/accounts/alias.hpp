// SPDX-License-Identifier: AGPL-3.0-or-later
// Other accounts of a person who has one here: those that they name may move here.
#pragma once
#include "social/accounts/account.hpp"

namespace accounts {

constexpr std::size_t most_aliases = 50;

std::vector<std::string> aliases(db::Read&, AccountId);  // their ids, oldest first
// Throws Invalid: too many, or no address.
void add_alias(db::Write&, AccountId, std::string_view uri);
bool remove_alias(db::Write&, AccountId, std::string_view uri);

}  // namespace accounts
