// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/render/status_entity.hpp"

#include "social/filters/matching.hpp"
#include "social/labels/effects.hpp"
#include "social/statuses/render/rendered_status.hpp"

#include <array>
#include <unordered_set>

namespace statuses {

// The accounts that publicly interacted with a status, if they are few: usual for new ones, and saves a query
// per viewer. These two kinds are indexed by status.
const db::Query<AccountId> first_marking{
    "first_marking",
    R"(SELECT account_id FROM (SELECT account_id FROM favourites WHERE status_id = $1 ORDER BY id LIMIT $2) f
       UNION ALL
       SELECT account_id FROM (SELECT account_id FROM statuses WHERE reblog_of_id = $1 AND deleted_at IS NULL
                               ORDER BY account_id LIMIT $2) r)"
};

// Those of $2 who bookmarked a status or muted its conversation. On SQLite the list drives the joins: IN
// would first copy it into a temporary table, twice.
const db::Query<AccountId> keeping_viewers{
    "keeping_viewers",
    R"(SELECT b.account_id FROM list($2) v CROSS JOIN bookmarks b ON b.account_id = v.value AND b.status_id = $1
       UNION ALL
       SELECT m.account_id FROM list($2) v
       CROSS JOIN conversation_mutes m ON m.account_id = v.value AND m.conversation_id = $3)",
    R"(SELECT account_id FROM bookmarks WHERE status_id = $1 AND account_id = ANY($2)
       UNION ALL
       SELECT account_id FROM conversation_mutes WHERE conversation_id = $3 AND account_id = ANY($2))"
};

// Those of $2 who publicly interacted with a status.
const db::Query<AccountId> marking_viewers{
    "marking_viewers",
    R"(SELECT account_id FROM favourites WHERE status_id = $1 AND account_id IN LIST($2)
       UNION ALL
       SELECT account_id FROM statuses WHERE reblog_of_id = $1 AND account_id IN LIST($2) AND deleted_at IS NULL)"
};

namespace {

// Whether its rendering is equal for all viewers, apart from their marks, filters, and following its author.
bool alike_for_most(db::Read& db, const VisibilityFacts& f) {
    if (f.is_reblog()) return false;
    auto found = rendered_statuses(db, {{f.id, f.version}});
    auto rendered = found.find(f.id);
    if (rendered == found.end()) return false;
    const auto& p = *rendered->second;
    return !p.poll && !p.quote && !(p.card && p.card->verified) &&
           !p.quote_approval.names(ApprovalPolicy::following);
}

std::unordered_set<AccountId> marking(
    db::Read& db, const VisibilityFacts& f, const std::vector<const Audience*>& viewers
) {
    std::vector<AccountId> ids;
    for (const auto* viewer : viewers) ids.push_back(viewer->viewer);
    constexpr std::size_t few = 50;
    auto found = db.all(first_marking, f.id, static_cast<std::int64_t>(few));
    if (found.size() >= few) found = db.all(marking_viewers, f.id, ids);
    auto kept = db.all(keeping_viewers, f.id, ids, f.conversation_id);
    found.insert(found.end(), kept.begin(), kept.end());
    return {found.begin(), found.end()};
}

}  // namespace

ForMany json_for_many(db::Read& db, const VisibilityFacts& f, const std::vector<const Audience*>& viewers) {
    ForMany out;
    const bool alike = viewers.size() > 1 && alike_for_most(db, f);
    const auto marked = alike ? marking(db, f, viewers) : std::unordered_set<AccountId>{};
    std::array<std::optional<std::size_t>, 2>
        shared;  // index of the text for followers of the author, and for others
    auto differs = [&](const Audience& viewer) {
        return !alike || !viewer.relations || viewer.viewer == f.account_id ||
               marked.contains(viewer.viewer) ||
               !filters::filters(db, viewer.viewer, viewer.relations->version)->empty() ||
               labels::chooses(db, viewer.viewer, viewer.relations->version);
    };
    auto render = [&](const Audience& viewer) {
        out.texts.push_back(json(db, viewer, f));
        return out.texts.size() - 1;
    };
    for (const auto* viewer : viewers) {
        if (differs(*viewer)) {
            out.of_viewer.push_back(render(*viewer));
            continue;
        }
        auto& text = shared[viewer->relations->follows(f.account_id)];
        if (!text) text = render(*viewer);
        out.of_viewer.push_back(*text);
    }
    return out;
}

}  // namespace statuses
