// SPDX-License-Identifier: AGPL-3.0-or-later
// The timelines that need no follow: everything public, and everything under hashtags.
#pragma once
#include "social/timelines/feed.hpp"

namespace timelines {

struct PublicFilter {
    bool local = false, remote = false, only_media = false;
};

// `languages`: if any, statuses in no other.
std::vector<VisibilityFacts> everything(
    db::Read&, const Audience&, const base::Range&, const PublicFilter&,
    const std::vector<std::string>& languages
);

// What of a range stands there before it is known who looks.
Batch candidates(
    db::Read&, const base::Range&, const PublicFilter&, const std::vector<std::string>& languages
);
// Whether the timelines of its tags show a status, as far as it does not depend on who looks.
bool stands_under_its_tags(db::Read&, StatusId);

// `any` holds the main tag first; names in any spelling.
struct TagFilter {
    std::vector<std::string> any, all, none;
    PublicFilter filter;
};

std::vector<VisibilityFacts> tagged(db::Read&, const Audience&, const base::Range&, const TagFilter&);

}  // namespace timelines
