// SPDX-License-Identifier: AGPL-3.0-or-later
// A post of another server that waits for a look by the team, outside of statuses: all that its server said of it, as text.
#pragma once
#include "social/statuses/core/held.hpp"
#include "social/statuses/remote/remote.hpp"

namespace statuses {

HeldId hold_remote(db::Write&, const RemoteStatus&);
// Now it is stored, as if it had come just now; unless it may not be any more.
void store_held(db::Write&, const Held&);
// Who wrote it, what it says and shows.
RemoteStatus read_held(const Held&);

}  // namespace statuses
