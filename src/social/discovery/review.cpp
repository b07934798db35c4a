// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/discovery/review.hpp"

#include "social/instance/settings.hpp"

namespace discovery {

bool trends_enabled(db::Read& db) { return instance::setting(db, "trends") != "false"; }

bool trendable_by_default(db::Read& db) { return instance::setting(db, "trendable_by_default") == "true"; }

const db::Query<Review> trend_reviews_of{
    "trend_reviews_of",
    R"(SELECT kind, subject_id, allowed, requested_at, reviewed_at FROM trend_reviews
       WHERE kind = $1 AND subject_id IN LIST($2))"
};

std::unordered_map<std::int64_t, Review> reviews(
    db::Read& db, Kind kind, const std::vector<std::int64_t>& subjects
) {
    std::unordered_map<std::int64_t, Review> out;
    std::vector<base::Id<struct SubjectTag>> ids;
    for (auto subject : subjects) ids.push_back({subject});
    if (!ids.empty())
        db.each(trend_reviews_of, [&](const Review& row) { out[row.subject_id] = row; }, kind, ids);
    return out;
}

const db::Command decide_trend{
    "decide_trend",
    R"(INSERT INTO trend_reviews (kind, subject_id, allowed, reviewed_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (kind, subject_id) DO UPDATE SET allowed = excluded.allowed, reviewed_at = excluded.reviewed_at)"
};

void decide(db::Write& db, Kind kind, std::int64_t subject, bool allowed) {
    db.run(decide_trend, kind, subject, allowed, db.now());
}

const db::Command request_trend_review{
    "request_trend_review",
    R"(INSERT INTO trend_reviews (kind, subject_id, requested_at) VALUES ($1, $2, $3)
       ON CONFLICT (kind, subject_id) DO NOTHING)"
};

void request_review(db::Write& db, Kind kind, std::int64_t subject) {
    db.run(request_trend_review, kind, subject, db.now());
}

}  // namespace discovery
