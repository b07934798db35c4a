// SPDX-License-Identifier: AGPL-3.0-or-later
// Changes of media by their owners: description, focal point, thumbnail.
#include "base/text/blank.hpp"
#include "social/media/hashes/quarantine.hpp"
#include "social/media/media.hpp"
#include "social/media/media_entity.hpp"

#include <algorithm>

namespace media {

std::string checked_description(std::string_view text) {
    if (base::text::is_blank(text)) return {};
    text = base::text::trimmed(text);
    auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
    if (static_cast<std::size_t>(std::ranges::count_if(text, begins_character)) > max_description)
        throw base::Invalid(
            "Validation failed: Description is too long (maximum is " + std::to_string(max_description) +
            " characters)"
        );
    return std::string(text);
}

const db::Query<Media> media_of_owner{
    "media_of_owner",
    R"(SELECT id, account_id, status_id, position, type, file, coalesce(thumbnail, preview) AS preview, mime, width, height,
              preview_width, preview_height, focus_x, focus_y, blurhash, description, scheduled_id, processing,
              thumbnail, frame_rate, colors, duration, bitrate
       FROM media WHERE id = $1 AND account_id = $2)"
};
const db::Command update_media{
    "update_media",
    R"(UPDATE media SET description = $2, focus_x = $3, focus_y = $4, thumbnail = $5, preview_width = $6,
           preview_height = $7, blurhash = $8, colors = $9
       WHERE id = $1)"
};

bool has_thumbnail(const Media& m) { return m.type == Type::video || m.type == Type::audio; }

void show_instead(Media& m, const Thumbnail& shown) {
    m.thumbnail = shown.file;
    m.preview_width = shown.width;
    m.preview_height = shown.height;
    m.blurhash = shown.blurhash;
    m.colors = colours_of(shown.blurhash);
}

namespace {

bool apply(db::Write& db, const Media& before, const Changes& changes) {
    auto m = before;
    if (changes.description) m.description = checked_description(*changes.description);
    if (changes.focus) m.focus_x = changes.focus->x, m.focus_y = changes.focus->y;
    if (changes.thumbnail && has_thumbnail(m)) {
        if (m.thumbnail) db.emit(FilesReleased{{*m.thumbnail}});
        show_instead(m, *changes.thumbnail);
    }
    bool same_words = m.description.value_or("") == before.description.value_or("");
    if (same_words && m.focus_x == before.focus_x && m.focus_y == before.focus_y &&
        m.thumbnail == before.thumbnail)
        return false;
    db.run(
        update_media,
        m.id,
        m.description,
        m.focus_x,
        m.focus_y,
        m.thumbnail,
        m.preview_width,
        m.preview_height,
        m.blurhash,
        m.colors
    );
    if (m.thumbnail != before.thumbnail) tell_whose(db, *m.thumbnail, {m.account_id, m.id, m.status_id});
    return true;
}

}  // namespace

void update(db::Write& db, AccountId owner, MediaId id, const Changes& changes) {
    auto m = db.one(media_of_owner, id, owner);
    if (m.status_id) throw base::NotFound();
    require_not_failed(m);
    apply(db, m, changes);
}

bool update_attached(db::Write& db, AccountId owner, StatusId status, MediaId id, const Changes& changes) {
    auto m = db.maybe(media_of_owner, id, owner);
    return m && m->status_id == status && m->position >= 0 && apply(db, *m, changes);
}

}  // namespace media
