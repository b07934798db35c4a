// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/scheduled/scheduled.hpp"

#include "base/json_read.hpp"
#include "social/media/media_entity.hpp"

#include <algorithm>

namespace statuses {

namespace {

struct Entity {
    static constexpr std::string_view entity = "ScheduledStatus";

    ScheduledId id;
    Time scheduled_at;
    ScheduledParams params;
    std::vector<media::MediaAttachment> media_attachments;
};
DESCRIBE(Entity, id, scheduled_at, params, media_attachments)

std::vector<Entity> entities(db::Read& db, const std::vector<Scheduled>& rows) {
    std::vector<Entity> out;
    std::vector<ScheduledId> ids;
    for (const auto& row : rows) {
        out.push_back({row.id, row.scheduled_at, base::json::read<ScheduledParams>(row.params), {}});
        ids.push_back(row.id);
    }
    for (const auto& m : media::of_scheduled(db, ids)) {
        auto e = std::ranges::find(out, m.scheduled_id, &Entity::id);
        e->media_attachments.push_back(media::entity(db.site(), m));
    }
    return out;
}

}  // namespace

std::string scheduled_json(db::Read& db, const std::vector<Scheduled>& rows) {
    return base::json::to_string(entities(db, rows));
}

std::string scheduled_json(db::Read& db, const Scheduled& row) {
    return base::json::to_string(entities(db, {row})[0]);
}

void describe_scheduled(base::json::Components& all) { base::json::component<Entity>(all); }

}  // namespace statuses
