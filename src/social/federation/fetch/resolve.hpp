// SPDX-License-Identifier: AGPL-3.0-or-later
// The answer to accounts::Resolve: who or what another server has under a handle, an id or an address, stored here.
#pragma once
#include "jobs/sessions.hpp"
#include "social/accounts/remote/resolve.hpp"

namespace federation {

// Blocks; for threads that may wait.
accounts::Resolved resolve(const jobs::Sessions&, const accounts::Resolve&);

}  // namespace federation
