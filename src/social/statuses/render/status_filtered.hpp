// SPDX-License-Identifier: AGPL-3.0-or-later
// The member `filtered` of a Status: which of the viewer's filters match it. Decided once per version of the status and
// of the viewer's filters and kept, so that a page without a match costs look-ups only.
#pragma once
#include "social/statuses/core/visibility.hpp"

#include <span>
#include <unordered_map>

namespace statuses {

// JSON arrays of FilterResult by the id of the original; one that nothing matches is missing. One query at most for
// what was not decided yet, and none without filters.
std::unordered_map<StatusId, std::string> filtered(db::Read&, const Audience&, std::span<const Facts>);

}  // namespace statuses
