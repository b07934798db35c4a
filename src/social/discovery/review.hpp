// SPDX-License-Identifier: AGPL-3.0-or-later
// The team's decisions on trends: whether a hashtag, status, author or link may trend. Without a decision it
// may not, unless the setting `trendable_by_default` is "true". The setting `trends` "false" disables trends.
#pragma once
#include "db/session.hpp"

#include <unordered_map>

namespace discovery {

BOOST_DEFINE_ENUM_CLASS(Kind, tag, status, account, link, publisher)

struct Review {
    Kind kind = Kind::tag;
    std::int64_t subject_id = 0;
    std::optional<bool> allowed;
    std::optional<base::Time> requested_at, reviewed_at;
};
DESCRIBE(Review, kind, subject_id, allowed, requested_at, reviewed_at)

bool trends_enabled(db::Read&);
bool trendable_by_default(db::Read&);

// By subject; subjects without a review are missing.
std::unordered_map<std::int64_t, Review> reviews(db::Read&, Kind, const std::vector<std::int64_t>& subjects);

// A decision by the team; effective from the next refresh of trends.
void decide(db::Write&, Kind, std::int64_t subject, bool allowed);
// Asks the team for a decision, once.
void request_review(db::Write&, Kind, std::int64_t subject);

}  // namespace discovery
