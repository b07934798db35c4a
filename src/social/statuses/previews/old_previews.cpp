// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/previews/preview.hpp"
#include "social/statuses/previews/preview_jobs.hpp"

#include "base/json_read.hpp"
#include "social/instance/settings.hpp"
#include "social/media/media.hpp"

namespace statuses {

namespace {

constexpr const char* progress_name = "old_previews";
constexpr std::int64_t rest_seconds = 86'400;
constexpr int at_once = 200;

struct Progress {
    CardId after;
    Time rests_until;
};
DESCRIBE(Progress, after, rests_until)

}  // namespace

const db::Query<CardId> last_old_card{
    "last_old_card",
    "SELECT max(id) AS id FROM (SELECT id FROM preview_cards WHERE id > $1 ORDER BY id LIMIT $2) chunk"
};
// What trends is shown without any post, and what staff has decided about a link is for later, too.
#define UNUSED_CARDS                                                                       \
    "id > $1 AND id <= $2 AND fetched_at < $3 AND trending = FALSE AND trendable IS NULL " \
    "AND NOT EXISTS (SELECT 1 FROM preview_cards_statuses s WHERE s.card_id = preview_cards.id)"
const db::Query<bool> any_unused_card{
    "any_unused_card", "SELECT EXISTS (SELECT 1 FROM preview_cards WHERE " UNUSED_CARDS ") AS unused"
};
const db::Query<std::string> drop_unused_cards{
    "drop_unused_cards", "DELETE FROM preview_cards WHERE " UNUSED_CARDS " RETURNING image"
};

jobs::Change purge_previews(db::Read& db) {
    const auto stored = instance::setting(db, progress_name);
    const auto progress = stored ? base::json::read<Progress>(*stored) : Progress{};
    if (progress.rests_until > db.now()) return {};
    const auto last = db.one(last_old_card, progress.after, at_once);
    const auto before = db.now().plus_seconds(-unused_previews_kept_seconds);
    const bool any = last && db.one(any_unused_card, progress.after, last, before);
    return [=](db::Write& write) {
        media::FilesReleased left;
        if (any)
            for (const auto& image : write.all(drop_unused_cards, progress.after, last, before)) {
                if (image.empty()) continue;
                write.run(delete_card_image, image);
                left.files.push_back(image);
            }
        if (!left.files.empty()) write.emit(left);
        const auto next = last ? Progress{last, {}} : Progress{{}, write.now().plus_seconds(rest_seconds)};
        instance::set_setting(write, progress_name, base::json::to_string(next));
    };
}

void begin_with_previews(db::Write& db) {
    instance::set_setting(db, progress_name, base::json::to_string(Progress{}));
}

}  // namespace statuses
