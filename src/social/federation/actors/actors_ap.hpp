// SPDX-License-Identifier: AGPL-3.0-or-later
// The actors of this server with their keys, and what is told of them. All throw Unavailable as long as the key is not
// made.
#pragma once
#include "social/accounts/account.hpp"

namespace federation {

std::string actor_document(db::Read&, const accounts::Account&);
// The server's own actor is named by the domain of its handles, without the port that no name may hold.
std::string server_name(const base::Site&);
std::string server_actor_document(db::Read&);

std::string actor_update_activity(db::Read&, const accounts::Account&);
std::string actor_delete_activity(db::Read&, const accounts::Account&);

}  // namespace federation
