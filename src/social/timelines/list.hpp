// SPDX-License-Identifier: AGPL-3.0-or-later
// The timeline of a list: what its members wrote and boosted, put together when it is read, so that it is right at once
// after any change of the list and reaches back to the first status.
#pragma once
#include "social/lists/list.hpp"
#include "social/timelines/feed.hpp"

namespace timelines {

// Throws NotFound for a list that is not the viewer's.
std::vector<Facts> list(db::Read&, const Audience&, lists::ListId, const base::Range&);

}  // namespace timelines
