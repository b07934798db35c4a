// SPDX-License-Identifier: AGPL-3.0-or-later
// The servers on which a hashtag was used, by day. The number of distinct servers in a month is not the sum
// of its days, so the posts are scanned; once for all questions, and each author is looked up once.
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
    std::vector<Use> uses_;  // unique and sorted
    std::size_t servers_ = 0;
};

}  // namespace insight
