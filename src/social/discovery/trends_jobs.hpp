// SPDX-License-Identifier: AGPL-3.0-or-later
// Computes trends every few minutes from what happened since: candidates come from today's activity only, and a few
// hundred of each kind are kept.
#pragma once
#include "db/session.hpp"

namespace discovery {

void refresh_trends(db::Write&);  // periodic

}  // namespace discovery
