// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/media.hpp"

#include "social/instance/remote_file.hpp"
#include "social/media/hashes/quarantine.hpp"

namespace media {

namespace {

struct OwnFiles {
    std::string file, preview;
    std::optional<std::string> thumbnail;
};
DESCRIBE(OwnFiles, file, preview, thumbnail)

// Previews first: after a crash the original is left, by which sweep_orphans() finds families.
void leave(db::Write& db, const std::vector<OwnFiles>& rows) {
    FilesReleased left;
    for (const auto& row : rows) {
        if (instance::is_elsewhere(row.file)) continue;
        if (row.thumbnail) left.files.push_back(*row.thumbnail);
        if (!row.preview.empty() && row.preview != row.file) left.files.push_back(row.preview);
        if (!row.file.empty()) left.files.push_back(row.file);
    }
    if (!left.files.empty()) db.emit(left);
}

}  // namespace

const db::Query<Media> media_of_statuses{
    "media_of_statuses",
    R"(SELECT id, account_id, status_id, position, type, file, coalesce(thumbnail, preview) AS preview, mime, width, height, preview_width,
              preview_height, focus_x, focus_y, blurhash, description, scheduled_id, processing, thumbnail,
              frame_rate, colors, duration, bitrate
       FROM media WHERE status_id IN LIST($1) AND position >= 0
       ORDER BY status_id, position)"
};

std::vector<Media> of_statuses(db::Read& db, const std::vector<StatusId>& statuses) {
    return db.all(media_of_statuses, statuses);
}

const db::Query<Media> unattached_media{
    "unattached_media",
    R"(SELECT id, account_id, status_id, position, type, file, coalesce(thumbnail, preview) AS preview, mime, width, height, preview_width,
              preview_height, focus_x, focus_y, blurhash, description, scheduled_id, processing, thumbnail,
              frame_rate, colors, duration, bitrate
       FROM media WHERE id = $1 AND account_id = $2 AND status_id IS NULL)"
};

Media unattached(db::Read& db, AccountId owner, MediaId id) { return db.one(unattached_media, id, owner); }

void require_not_failed(const Media& m) {
    if (m.processing == Processing::failed)
        throw base::Invalid("Error processing thumbnail for uploaded media");
}

const db::Command insert_media{
    "insert_media",
    R"(INSERT INTO media (id, account_id, type, file, preview, mime, width, height, preview_width, preview_height,
           focus_x, focus_y, blurhash, description, free_since, created_at, processing, thumbnail, frame_rate,
           colors, duration, bitrate)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $16, $17, $18, $19, $20,
           $21))"
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
        m.processing,
        m.thumbnail,
        m.frame_rate,
        m.colors,
        m.duration,
        m.bitrate
    );
    for (const auto& file : {m.file, m.thumbnail.value_or("")})
        if (!file.empty()) tell_whose(db, file, {m.account_id, id, {}});
    return id;
}

const db::Query<OwnFiles> delete_media{
    "delete_media",
    R"(DELETE FROM media WHERE id = $1 AND account_id = $2 AND status_id IS NULL AND scheduled_id IS NULL
       RETURNING file, preview, thumbnail)"
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
const db::Query<OwnFiles> delete_media_of{
    "delete_media_of", "DELETE FROM media WHERE status_id = $1 RETURNING file, preview, thumbnail"
};

void release(db::Write& db, StatusId status, bool remove) {
    if (remove) leave(db, db.all(delete_media_of, status));
    else db.run(free_media, status, db.now());
}

const db::Query<OwnFiles> delete_expired_media{
    "delete_expired_media",
    R"(DELETE FROM media WHERE id IN (
           SELECT id FROM media WHERE status_id IS NULL AND free_since < $1 ORDER BY free_since LIMIT $2)
       RETURNING file, preview, thumbnail)"
};

void remove_expired(db::Write& db) {
    constexpr int chunk = 200;
    leave(db, db.all(delete_expired_media, db.now().plus_seconds(-unattached_lives_seconds), chunk));
}

}  // namespace media
