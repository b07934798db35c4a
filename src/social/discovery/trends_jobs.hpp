// SPDX-License-Identifier: AGPL-3.0-or-later
// Computes trends every few minutes from what happened since: candidates come from today's activity only, and a few
// hundred of each kind are kept.
#pragma once
#include "jobs/reactions.hpp"

namespace discovery {

// Periodic.
jobs::Change refresh_tags(db::Read&);
jobs::Change refresh_links(db::Read&);
jobs::Change refresh_statuses(db::Read&);

// Event and reaction: more was favourited and boosted than is taken in at once.
struct TrendsContinued {};
DESCRIBE(TrendsContinued)
jobs::Change continue_trends(db::Read&, const TrendsContinued&);

}  // namespace discovery
