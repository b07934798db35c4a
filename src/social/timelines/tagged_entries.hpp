// SPDX-License-Identifier: AGPL-3.0-or-later
// What followed hashtags put into home: public statuses, looked up when home is read, so that following and unfollowing
// need no copying and home reaches back to the first status under each tag.
#pragma once
#include "social/timelines/followed_feed.hpp"

namespace timelines {

using TagIds = std::vector<base::TagId>;

// Adds to a stretch of this range what stands under the tags. Answers all ids that do, whether they were there or not.
std::vector<StatusId> add_tagged(db::Read&, const TagIds&, const base::Range&, Stretch&);

// Whether one of these statuses is under one of the tags.
bool any_tagged(db::Read&, const TagIds&, const std::vector<StatusId>&);

}  // namespace timelines
