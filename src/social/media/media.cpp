// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/media.hpp"

#include <algorithm>

namespace media {

namespace {

struct Files {
    std::string file, preview;
};
DESCRIBE(Files, file, preview)

// Previews first: who is interrupted leaves an original behind, and sweep_orphans finds families by that.
void leave(db::Write& db, const std::vector<Files>& rows) {
    FilesLeft left;
    for (const auto& row : rows) {
        if (!row.preview.empty() && row.preview != row.file) left.files.push_back(row.preview);
        if (!row.file.empty()) left.files.push_back(row.file);
    }
    if (!left.files.empty()) db.emit(left);
}

}  // namespace

const db::Query<Media> media_of_statuses{
    "media_of_statuses",
    R"(SELECT id, account_id, status_id, position, type, file, preview, mime, width, height, preview_width,
              preview_height, focus_x, focus_y, blurhash, description, scheduled_id, processing
       FROM media WHERE status_id IN (SELECT value FROM json_each($1)) AND position >= 0
       ORDER BY status_id, position)",
    R"(SELECT id, account_id, status_id, position, type, file, preview, mime, width, height, preview_width,
              preview_height, focus_x, focus_y, blurhash, description, scheduled_id, processing
       FROM media WHERE status_id = ANY($1) AND position >= 0 ORDER BY status_id, position)"
};

std::vector<Media> of_statuses(db::Read& db, const std::vector<StatusId>& statuses) {
    return db.all(media_of_statuses, statuses);
}

const db::Query<Media> unattached_media{
    "unattached_media",
    R"(SELECT id, account_id, status_id, position, type, file, preview, mime, width, height, preview_width,
              preview_height, focus_x, focus_y, blurhash, description, scheduled_id, processing
       FROM media WHERE id = $1 AND account_id = $2 AND status_id IS NULL)"
};

Media unattached(db::Read& db, AccountId owner, MediaId id) { return db.one(unattached_media, id, owner); }

const db::Command insert_media{
    "insert_media",
    R"(INSERT INTO media (id, account_id, type, file, preview, mime, width, height, preview_width, preview_height,
           focus_x, focus_y, blurhash, description, free_since, created_at, processing)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $16))"
};

MediaId create(db::Write& db, const Media& m) {
    auto id = db.new_id<MediaId>();
    db.run(
        insert_media,
        id,
        m.account_id,
        m.type,
        m.file,
        m.preview,
        m.mime,
        m.width,
        m.height,
        m.preview_width,
        m.preview_height,
        m.focus_x,
        m.focus_y,
        m.blurhash,
        m.description,
        db.now(),
        m.processing
    );
    return id;
}

std::string checked_description(std::string_view text) {
    constexpr std::string_view blank = " \t\n\r";
    auto first = text.find_first_not_of(blank);
    if (first == text.npos) return {};
    text = text.substr(first, text.find_last_not_of(blank) - first + 1);
    auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
    if (static_cast<std::size_t>(std::ranges::count_if(text, begins_character)) > max_description)
        throw base::Invalid(
            "Validation failed: Description is too long (maximum is " + std::to_string(max_description) +
            " characters)"
        );
    return std::string(text);
}

const db::Command update_media{
    "update_media",
    R"(UPDATE media SET description = coalesce($3, description), focus_x = coalesce($4, focus_x),
           focus_y = coalesce($5, focus_y)
       WHERE id = $1 AND account_id = $2 AND status_id IS NULL)"
};

void update(db::Write& db, AccountId owner, MediaId id, const Changes& changes) {
    std::optional<std::string> description;
    if (changes.description) description = checked_description(*changes.description);
    std::optional<double> x, y;
    if (changes.focus) x = changes.focus->x, y = changes.focus->y;
    if (db.run(update_media, id, owner, description, x, y) == 0) throw base::NotFound();
}

const db::Query<Files> delete_media{
    "delete_media",
    R"(DELETE FROM media WHERE id = $1 AND account_id = $2 AND status_id IS NULL AND scheduled_id IS NULL
       RETURNING file, preview)"
};
const db::Query<MediaId> own_media{"own_media", "SELECT id FROM media WHERE id = $1 AND account_id = $2"};

void remove(db::Write& db, AccountId owner, MediaId id) {
    auto gone = db.all(delete_media, id, owner);
    if (!gone.empty()) return leave(db, gone);
    db.one(own_media, id, owner);
    throw base::Invalid("Media attachment is currently used by a status");
}

const db::Command free_media{
    "free_media", "UPDATE media SET status_id = NULL, free_since = $2 WHERE status_id = $1"
};
const db::Query<Files> delete_media_of{
    "delete_media_of", "DELETE FROM media WHERE status_id = $1 RETURNING file, preview"
};

void release(db::Write& db, StatusId status, bool remove) {
    if (remove) leave(db, db.all(delete_media_of, status));
    else db.run(free_media, status, db.now());
}

const db::Query<Files> delete_expired_media{
    "delete_expired_media",
    R"(DELETE FROM media WHERE id IN (
           SELECT id FROM media WHERE status_id IS NULL AND free_since < $1 ORDER BY free_since LIMIT $2)
       RETURNING file, preview)"
};

void remove_expired(db::Write& db) {
    constexpr int chunk = 200;
    leave(db, db.all(delete_expired_media, db.now().plus_seconds(-unattached_lives_seconds), chunk));
}

}  // namespace media
