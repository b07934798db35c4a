// SPDX-License-Identifier: AGPL-3.0-or-later
// From which servers a hashtag was used, day by day. How many different ones there are in a month is no sum of its days, so
// the posts are gone through; once for all that is asked of them, and each author is looked up once.
#pragma once
#include "social/insight/measure.hpp"

#include <vector>

namespace insight {

class TagServers {
public:
    TagServers(db::Read&, base::TagId, const Days&);

    std::int64_t on(std::int64_t day) const { return between(day, day + 1); }
    std::int64_t between(std::int64_t first, std::int64_t beyond) const;

private:
    struct Use {
        std::int64_t day = 0;
        std::size_t server = 0;
        auto operator<=>(const Use&) const = default;
    };
    std::vector<Use> uses_;  // each once, in their order
    std::size_t servers_ = 0;
};

}  // namespace insight
