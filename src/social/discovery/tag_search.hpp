// SPDX-License-Identifier: AGPL-3.0-or-later
// Finding hashtags by the beginnings of their names.
#pragma once
#include "social/tags/tag.hpp"

namespace discovery {

struct TagSearch {
    std::string prefix;  // as typed, with or without #
    int limit = 20, offset = 0;
    bool reviewed = false;  // only those staff has looked at, and the one of this very name
};

// The exact one first, then those used most in the last week. What staff has unlisted is found by nobody.
std::vector<tags::Tag> find_tags(db::Read&, const TagSearch&);

}  // namespace discovery
