// SPDX-License-Identifier: AGPL-3.0-or-later
// The thread around a status: what it answers, oldest first, and what answers it, in reading order.
#pragma once
#include "base/schema.hpp"
#include "social/statuses/core/visibility.hpp"

namespace statuses {

struct Thread {
    std::vector<VisibilityFacts> ancestors, descendants;
};

// What this audience is shown. Anonymous readers get less (limits.tsv, status.context.*).
Thread thread(db::Read&, const Audience&, StatusId);

// What it answers and what that answers, whoever may read it: the first of the thread first, so many steps up at most.
std::vector<StatusId> ancestors(db::Read&, StatusId, int most);

void describe_context(base::json::Components&);  // for OpenAPI

}  // namespace statuses
