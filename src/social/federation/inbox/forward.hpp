// SPDX-License-Identifier: AGPL-3.0-or-later
// What others answer to somebody here is passed on to the followers of who is answered, as it came: their servers would
// not hear of it otherwise.
#pragma once
#include "ap/incoming.hpp"
#include "jobs/reactions.hpp"
#include "social/federation/inbox/inbox_item.hpp"

namespace federation {

// Empty when it is not to be passed on: not for everybody, no answer to a status of somebody here, or nothing in it by
// which those who get it could tell that it is genuine.
jobs::Change forwarding(db::Read&, const Item&, const ap::Incoming&);

}  // namespace federation
