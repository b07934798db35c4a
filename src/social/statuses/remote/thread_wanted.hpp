// SPDX-License-Identifier: AGPL-3.0-or-later
// Threads of other servers are read from there when somebody opens them.
#pragma once
#include "social/statuses/core/status.hpp"

namespace statuses {

// A public status of another server, of some minutes ago, whose answers were not looked for lately.
bool replies_due(db::Read&, StatusId);

// Whether they are being looked for now.
bool replies_awaited(db::Read&, StatusId);

// The id of a poll of another server that is running, or has ended since it was last told of, and was not asked for
// within a minute.
std::optional<std::string> stale_poll(db::Read&, StatusId);

// The question that has them looked for; answered at once. The header value that tells the client to ask again, or
// empty.
struct LookForReplies {
    StatusId status;
    using Answer = std::string;
};
DESCRIBE(LookForReplies, status)

}  // namespace statuses
