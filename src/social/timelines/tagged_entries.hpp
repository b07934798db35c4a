// SPDX-License-Identifier: AGPL-3.0-or-later
// Statuses that followed hashtags add to home: public ones, looked up when home is read, so that following
// and unfollowing a tag needs no copying and home reaches back to the first status of each tag.
#pragma once
#include "social/timelines/followed_feed.hpp"

namespace timelines {

using TagIds = std::vector<base::TagId>;

// Ids in a range and its direction, complete up to `last`; without it there are no more.
struct IdStretch {
    std::vector<StatusId> ids;
    std::optional<StatusId> last;
};

// All statuses with tags that the viewer follows, whether home may show them or not; about as many as the
// range's limit.
IdStretch tagged_ids(db::Read&, const relationships::Relationships&, const TagIds&, const base::Range&);

// Those of them that home may show.
std::vector<StatusId> usable_tagged(db::Read&, const std::vector<StatusId>&);

// Whether one of these statuses has one of the tags.
bool any_tagged(db::Read&, const TagIds&, const std::vector<StatusId>&);

}  // namespace timelines
