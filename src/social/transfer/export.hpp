// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include "db/session.hpp"
#include "social/transfer/lines.hpp"

namespace transfer {

// All of it, oldest first. Accounts are named "name@host", also those of this site.
std::string export_csv(db::Read&, base::AccountId, Kind);

}  // namespace transfer
