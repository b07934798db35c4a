// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/timelines/feed.hpp"

#include "social/statuses/previews/preview.hpp"

namespace timelines {

const db::Query<std::int64_t> trending_card{
    "trending_card", "SELECT id FROM preview_cards WHERE url = $1 AND trending = TRUE"
};

#define LINKING_STATUSES                                                                       \
    "SELECT x.status_id FROM preview_cards_statuses x JOIN statuses s ON s.id = x.status_id "  \
    "JOIN accounts a ON a.id = s.account_id "                                                  \
    "WHERE x.card_id = $3 AND x.status_id > $1 AND x.status_id < $2 AND s.deleted_at IS NULL " \
    "AND s.visibility = 'public' AND a.discoverable = TRUE AND a.silenced_at IS NULL "         \
    "AND a.suspended_at IS NULL "

const db::Query<StatusId> linking_down{"linking_down", LINKING_STATUSES "ORDER BY x.status_id DESC LIMIT $4"};
const db::Query<StatusId> linking_up{"linking_up", LINKING_STATUSES "ORDER BY x.status_id LIMIT $4"};

std::vector<VisibilityFacts> linking(
    db::Read& db, const Audience& audience, const base::Range& range, std::string_view url
) {
    auto card = db.one(trending_card, url.substr(0, url.find('#')));
    auto candidates = [&](const base::Range& r) {
        return batch_of(db.all(r.ascending ? linking_up : linking_down, r.above, r.below, card, r.limit), r);
    };
    return fill(db, audience, range, candidates);
}

}  // namespace timelines
