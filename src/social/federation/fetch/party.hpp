// SPDX-License-Identifier: AGPL-3.0-or-later
// In whose name another server is asked for what it does not show to everybody.
#pragma once
#include "ap/incoming.hpp"
#include "db/session.hpp"

namespace federation {

// Somebody here whom it is meant for: who got it, is addressed or mentioned, or follows its author. 0, which is the
// server, for what everybody may see and where there is nobody.
base::AccountId party_to(db::Read&, const ap::Incoming&);
base::AccountId party_to(db::Read&, base::StatusId);

// Whether they follow anybody of the server of this address, which then may tell them more.
bool follows_somebody_at(db::Read&, base::AccountId, const std::string& url);

}  // namespace federation
