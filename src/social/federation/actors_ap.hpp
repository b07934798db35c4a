// SPDX-License-Identifier: AGPL-3.0-or-later
// The actors of this server with their keys, and what is told of them. All throw Unavailable as long as the key is not
// made.
#pragma once
#include "social/accounts/account.hpp"

namespace federation {

std::string actor_document(db::Read&, const accounts::Account&);
std::string server_actor_document(db::Read&);

std::string actor_update_activity(db::Read&, const accounts::Account&);
std::string actor_delete_activity(db::Read&, const accounts::Account&);

}  // namespace federation
