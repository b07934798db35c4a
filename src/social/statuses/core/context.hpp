// SPDX-License-Identifier: AGPL-3.0-or-later
// The thread around a status: its ancestors, oldest first, and its descendants in reading order.
#pragma once
#include "base/schema.hpp"
#include "social/statuses/core/visibility.hpp"

namespace statuses {

struct Thread {
    std::vector<VisibilityFacts> ancestors, descendants;
};

// What this audience may see. Anonymous readers get less (limits.tsv, status.context.*).
Thread thread(db::Read&, const Audience&, StatusId);

// The chain of statuses that this one replies to, regardless of visibility: the thread's first status first,
// at most `most` steps up.
std::vector<StatusId> ancestors(db::Read&, StatusId, int most);

void describe_context(base::json::Components&);  // for OpenAPI

}  // namespace statuses
