// SPDX-License-Identifier: AGPL-3.0-or-later
// The timelines that are independent of follows: public statuses, and hashtags.
#pragma once
#include "social/timelines/feed.hpp"

namespace timelines {

struct PublicFilter {
    bool local = false, remote = false, only_media = false;
};

// `languages`: if any, only statuses in these.
std::vector<VisibilityFacts> everything(
    db::Read&, const Audience&, const base::Range&, const PublicFilter&,
    const std::vector<std::string>& languages
);

// The statuses of a range before rules that depend on the viewer.
Batch candidates(
    db::Read&, const base::Range&, const PublicFilter&, const std::vector<std::string>& languages
);
// Whether the timelines of its tags contain a status, apart from rules that depend on the viewer.
bool stands_under_its_tags(db::Read&, StatusId);

// `any` starts with the main tag; names in any spelling.
struct TagFilter {
    std::vector<std::string> any, all, none;
    PublicFilter filter;
};

std::vector<VisibilityFacts> tagged(db::Read&, const Audience&, const base::Range&, const TagFilter&);

}  // namespace timelines
