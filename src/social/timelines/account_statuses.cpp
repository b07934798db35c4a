// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/timelines/account_statuses.hpp"

#include "social/statuses/pin.hpp"
#include "social/tags/tag.hpp"

namespace timelines {

// $4 only media, $5 no replies to others, $6 no reblogs, $7 no direct ones, $8 a tag or 0.
#define ACCOUNT_STATUSES                                                                                   \
    "SELECT s.id FROM statuses s WHERE s.account_id = $1 AND s.id > $2 AND s.id < $3 AND s.deleted_at IS " \
    "NULL "                                                                                                \
    "AND ($4 = FALSE OR (s.relations & 4) <> 0) "                                                          \
    "AND ($5 = FALSE OR s.in_reply_to_id IS NULL OR s.in_reply_to_account_id = s.account_id) "             \
    "AND ($6 = FALSE OR s.reblog_of_id IS NULL) "                                                          \
    "AND ($7 = FALSE OR s.visibility NOT IN ('direct', 'limited')) "                                       \
    "AND (CAST($8 AS BIGINT) = 0 OR EXISTS (SELECT 1 FROM status_tags x WHERE x.tag_id = $8 AND "          \
    "x.status_id = s.id)) "

const db::Query<StatusId> account_statuses_down{
    "account_statuses_down", ACCOUNT_STATUSES "ORDER BY s.id DESC LIMIT $9"
};
const db::Query<StatusId> account_statuses_up{
    "account_statuses_up", ACCOUNT_STATUSES "ORDER BY s.id LIMIT $9"
};

std::vector<Facts> account_statuses(
    db::Read& db, const Audience& audience, base::AccountId of, const base::Range& range,
    const AccountFilter& filter
) {
    // Who is blocked sees nothing here, though a status that mentions them opens by its id.
    if (audience.circle && audience.circle->blocked_by.contains(of)) return {};
    base::TagId tag;
    if (!filter.tagged.empty()) {
        auto found = tags::find_tag(db, filter.tagged);
        if (!found) return {};
        tag = found->id;
    }
    auto candidates = [&](const base::Range& r) {
        const auto& sql = r.ascending ? account_statuses_up : account_statuses_down;
        return batch_of(
            db.all(
                sql,
                of,
                r.above,
                r.below,
                filter.only_media,
                filter.exclude_replies,
                filter.exclude_reblogs,
                filter.exclude_direct,
                tag,
                r.limit
            ),
            r
        );
    };
    // One came here to see this account, muted or not; only what it boosts is subject to the viewer's circle.
    std::vector<Facts> page;
    auto batch = range;
    for (auto wanted = static_cast<std::size_t>(range.limit); page.size() < wanted;) {
        auto candidate = candidates(batch);
        for (const auto& f : statuses::facts(db, audience, candidate.ids)) {
            bool boost_hidden =
                f.is_reblog() && (f.original_domain_hidden || audience.hides(f.original_account_id));
            if (statuses::visible(f, audience) && !boost_hidden && page.size() < wanted) page.push_back(f);
        }
        if (!candidate.last) break;
        (batch.ascending ? batch.above : batch.below) = candidate.last->value;
    }
    if (range.ascending) std::reverse(page.begin(), page.end());
    return page;
}

std::vector<Facts> pinned_statuses(
    db::Read& db, const Audience& audience, base::AccountId of, const base::Range& range
) {
    if (audience.circle && audience.circle->blocked_by.contains(of)) return {};
    auto found = statuses::facts(db, audience, statuses::pinned(db, of));
    std::erase_if(found, [&](const Facts& f) {
        return f.id.value <= range.above || f.id.value >= range.below || !statuses::visible(f, audience);
    });
    if (found.size() > static_cast<std::size_t>(range.limit))
        found.resize(static_cast<std::size_t>(range.limit));
    return found;
}

}  // namespace timelines
