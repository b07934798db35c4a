// SPDX-License-Identifier: AGPL-3.0-or-later
// Whether a copy is what the other server has: all counts, and some people and posts, whichever they are, which are found here by
// the address that others know them by.
#pragma once
#include "takeover/copy.hpp"

namespace takeover {

struct Difference {
    std::string kind, address, what, there, here;
};
DESCRIBE(Difference, kind, address, what, there, here)

struct Comparison {
    std::vector<Count> counts;
    std::int64_t refused = 0;            // rows that explain counts that differ
    std::int64_t people = 0, posts = 0;  // that were looked at
    std::vector<Difference> differences;

    bool same() const;  // also when only counts differ, it is not
};
DESCRIBE(Comparison, counts, refused, people, posts, differences)

// Of people and of posts at most `samples` each.
Comparison compare(const Target&, Source&, std::size_t samples);

}  // namespace takeover
