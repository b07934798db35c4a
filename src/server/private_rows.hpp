// SPDX-License-Identifier: AGPL-3.0-or-later
// What a deleted account loses besides what its posts and its ties bring with them: a table in the order in which rows
// go. Parts stand before the whole.
#pragma once
#include "social/accounts/private_rows.hpp"

#include <vector>

namespace server {

std::span<const accounts::PrivateRows> private_rows();

void continue_forgetting_rows(db::Write&, const accounts::PrivateRowsLeft&);  // reaction

}  // namespace server
