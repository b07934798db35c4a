// SPDX-License-Identifier: AGPL-3.0-or-later
// What a viewer has done to statuses: the members of Status that differ from viewer to viewer.
#pragma once
#include "social/statuses/core/visibility.hpp"

#include <span>
#include <unordered_map>

namespace statuses {

struct Marks {
    bool favourited = false, reblogged = false, bookmarked = false, pinned = false, muted = false;
};

// By the id of the original; one without any mark is missing. One query, or two where the statuses lie far apart and
// the viewer has marked much in between.
std::unordered_map<StatusId, Marks> marks(db::Read&, AccountId viewer, std::span<const Facts>);

}  // namespace statuses
