// SPDX-License-Identifier: AGPL-3.0-or-later
// What is trending, as last refreshed (trends_jobs.cpp). Those in languages the reader prefers come first, then by score.
#pragma once
#include "base/schema.hpp"
#include "jobs/reactions.hpp"
#include "social/discovery/review.hpp"
#include "social/statuses/core/visibility.hpp"
#include "social/statuses/previews/preview.hpp"
#include "social/tags/tag.hpp"

namespace discovery {

struct Trend {
    Kind kind = Kind::tag;
    std::int64_t subject_id = 0;
    std::int64_t author_id = 0;  // of a status
    std::optional<std::string> language;
    double score = 0, peak = 0;
    base::Time peaked_at{};
    bool shown = false;  // approved; of an author's statuses only the best
};
DESCRIBE(Trend, kind, subject_id, author_id, language, score, peak, peaked_at, shown)

std::vector<Trend> trends(db::Read&, Kind);  // all, also those not shown; in no order

struct Window {
    int offset = 0, limit = 10;
    std::vector<std::string> languages;  // preferred
};

std::vector<tags::Tag> trending_tags(db::Read&, const Window&);
std::vector<statuses::Card> trending_links(db::Read&, const Window&);

// How many statuses of how many accounts held a link, on one day.
struct DayOfLink {
    std::int64_t card_id = 0;
    std::int64_t day = 0;  // since 1970
    std::int64_t uses = 0, accounts = 0;
};
DESCRIBE(DayOfLink, card_id, day, uses, accounts)
std::vector<DayOfLink> link_uses(db::Read&, const std::vector<statuses::CardId>&, base::Time since);

// Without what the viewer may not see or has hidden.
std::vector<statuses::VisibilityFacts> trending_statuses(db::Read&, const statuses::Audience&, const Window&);

// What the user chose, else the language of the request: "de-CH" prefers "de", too.
std::vector<std::string> preferred_languages(db::Read&, base::UserId, std::string_view request_language);

// The whole set of one kind, as refreshed.
void replace(db::Write&, Kind, const std::vector<Trend>&);

void describe_trending_link(base::json::Components&);  // for OpenAPI

// Computes trends every few minutes from what happened since: candidates come from today's activity only, and a few
// hundred of each kind are kept.

// Periodic.
jobs::Change refresh_tags(db::Read&);
jobs::Change refresh_links(db::Read&);
jobs::Change refresh_statuses(db::Read&);

// Event and reaction: more was favourited and boosted than is taken in at once.
struct TrendsContinued {};
DESCRIBE(TrendsContinued)
jobs::Change continue_trends(db::Read&, const TrendsContinued&);

}  // namespace discovery
