// SPDX-License-Identifier: AGPL-3.0-or-later
// Public pages of trends, also used by the staff's endpoints.
#pragma once
#include "http/page.hpp"
#include "http/route.hpp"
#include "social/discovery/trends.hpp"
#include "social/tags/tag_entity.hpp"

namespace discovery {

struct FewTrends {
    std::int64_t offset = 0;
    http::Limit<10, 20> limit;
};
struct ManyTrends {
    std::int64_t offset = 0;
    http::Limit<20, 40> limit;
};
DESCRIBE(FewTrends, offset, limit)
DESCRIBE(ManyTrends, offset, limit)

using MaybeViewer = std::optional<http::Viewer>;
http::Response public_tags(db::Read&, const MaybeViewer&, const http::Request&, const FewTrends&);
http::Response public_links(db::Read&, const MaybeViewer&, const http::Request&, const FewTrends&);
http::Response public_statuses(db::Read&, const MaybeViewer&, const http::Request&, const ManyTrends&);

// One week of each link, newest day first, including days without uses.
std::vector<tags::HistoryDay> week_of_link(const std::vector<DayOfLink>&, statuses::CardId, base::Time now);

}  // namespace discovery
