// SPDX-License-Identifier: AGPL-3.0-or-later
// Fetches a remote thread from its server when somebody opens it.
#pragma once
#include "social/statuses/core/status.hpp"

namespace statuses {

// Whether this is a public remote status, some minutes old, whose replies were not fetched lately.
bool replies_due(db::Read&, StatusId);

// Whether they are being fetched now.
bool replies_awaited(db::Read&, StatusId);

// The id of a remote poll that is running, or has ended since it was last fetched, and was not fetched within
// the last minute.
std::optional<std::string> stale_poll(db::Read&, StatusId);

// The question that starts fetching them; answered at once. The answer is the header value that tells the
// client to ask again, or empty.
struct LookForReplies {
    StatusId status;
    using Answer = std::string;
};
DESCRIBE(LookForReplies, status)

}  // namespace statuses
