// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include "social/accounts/account.hpp"

namespace accounts {

// Whether search engines are asked to leave out the account's pages: unless it may be found by search at all.
inline bool noindex(const Account& account) { return !account.indexable; }

}  // namespace accounts
