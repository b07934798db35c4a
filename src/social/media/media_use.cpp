// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/media_use.hpp"

#include <algorithm>

namespace media {

const db::Query<Media> media_by_ids{
    "media_by_ids",
    R"(SELECT id, account_id, status_id, position, type, file, coalesce(thumbnail, preview) AS preview, mime, width, height,
              preview_width,
              preview_height, focus_x, focus_y, blurhash, description, scheduled_id, processing, thumbnail,
              frame_rate, colors, duration, bitrate
       FROM media WHERE id IN LIST($1))"
};

std::vector<Media> by_ids(db::Read& db, const std::vector<MediaId>& ids) {
    return ids.empty() ? std::vector<Media>() : db.all(media_by_ids, ids);
}

namespace {

bool says_else(const Media& m, const Changes& changes) {
    if (changes.description && checked_description(*changes.description) != m.description.value_or(""))
        return true;
    if (changes.thumbnail && has_thumbnail(m)) return true;
    return changes.focus &&
           (changes.focus->x != m.focus_x.value_or(0) || changes.focus->y != m.focus_y.value_or(0));
}

}  // namespace

bool would_change(
    db::Read& db, StatusId status, const std::vector<MediaId>& wanted, const std::vector<Change>& changes
) {
    auto shown = of_statuses(db, {status});
    if (!std::ranges::equal(shown, wanted, {}, &Media::id)) return true;
    return std::ranges::any_of(changes, [&](const Change& change) {
        auto it = std::ranges::find(shown, change.id, &Media::id);
        return it != shown.end() && says_else(*it, change.changes);
    });
}

void replace(
    db::Write& db, AccountId owner, StatusId status, const std::vector<MediaId>& wanted,
    const std::vector<Change>& changes
) {
    rearrange(db, owner, status, wanted);
    for (const auto& [id, change] : changes) update_attached(db, owner, status, id, change);
}

}  // namespace media
