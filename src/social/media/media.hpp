// SPDX-License-Identifier: AGPL-3.0-or-later
// Media: uploads, their owners, and the statuses that show them. The files: store.hpp.
#pragma once
#include "base/json.hpp"
#include "db/session.hpp"
#include "social/media/types.hpp"

namespace base {
using ScheduledStatusId = Id<struct ScheduledStatusTag>;
}

namespace media {

using base::AccountId;
using base::MediaId;
using base::ScheduledStatusId;
using base::StatusId;

struct Media {
    MediaId id;
    AccountId account_id;
    StatusId status_id;  // 0: not attached
    std::int64_t position = 0;
    Type type = Type::image;
    std::string file, preview, mime;  // paths below data/media
    std::int64_t width = 0, height = 0, preview_width = 0, preview_height = 0;
    std::optional<double> focus_x, focus_y;
    std::optional<std::string> blurhash, description;
    ScheduledStatusId scheduled_id;  // 0: not reserved
    Processing processing = Processing::complete;
    std::optional<std::string> thumbnail;           // uploaded by the owner; `preview` is then the same
    std::optional<std::string> frame_rate, colors;  // colors: JSON
    std::optional<double> duration;                 // seconds
    std::optional<std::int64_t> bitrate;
};
DESCRIBE(
    Media, id, account_id, status_id, position, type, file, preview, mime, width, height, preview_width,
    preview_height, focus_x, focus_y, blurhash, description, scheduled_id, processing, thumbnail, frame_rate,
    colors, duration, bitrate
)

// The point that stays visible when a preview is cropped; each from -1 to 1, 0 is the middle.
struct Focus {
    double x = 0, y = 0;
};
DESCRIBE(Focus, x, y)

// These files are no longer used: a job deletes them after the commit (media_jobs.hpp).
struct FilesReleased {
    std::vector<std::string> files;  // paths below data/media
};
DESCRIBE(FilesReleased, files)

constexpr std::size_t max_description = 10'000;  // code points
constexpr std::int64_t unattached_lives_seconds = 86'400;

// Attached to any of these statuses, by status and position; one query.
std::vector<Media> of_statuses(db::Read&, const std::vector<StatusId>&);

// Throws NotFound unless it is the owner's and not attached.
Media unattached(db::Read&, AccountId owner, MediaId);

// Throws Invalid if processing the upload failed.
void require_not_failed(const Media&);

// Creates one that is not attached; its id, status and position are ignored.
MediaId create(db::Write&, const Media&);

struct Thumbnail {
    std::string file;
    std::int64_t width = 0, height = 0;
    std::string blurhash;
};
bool has_thumbnail(const Media&);  // whether it may have one
void show_instead(Media&, const Thumbnail&);
struct Changes {
    std::optional<std::string> description;
    std::optional<Focus> focus;
    std::optional<Thumbnail> thumbnail;  // for video and audio; see thumbnail.hpp
};
// Throws NotFound unless it is the owner's and not attached, and Invalid: description too long, processing
// failed.
void update(db::Write&, AccountId owner, MediaId, const Changes&);
// The same for media that the status shows; others are ignored. Returns whether anything changed.
bool update_attached(db::Write&, AccountId owner, StatusId, MediaId, const Changes&);

// The stored form: trimmed. Throws Invalid if it is too long.
std::string checked_description(std::string_view);

// Throws NotFound, or Invalid if a status or scheduled status uses it.
void remove(db::Write&, AccountId owner, MediaId);

// Attaches in the order given; `reserved_for` names the scheduled status that becomes this one. Throws
// Invalid: too many, unknown or somebody else's, already attached or reserved, unfinished, a video or audio
// together with others.
void attach(
    db::Write&, AccountId owner, StatusId, const std::vector<MediaId>&, ScheduledStatusId reserved_for = {}
);

// The ids without duplicates, if the status or the scheduled status may show them. Throws Invalid as attach()
// does.
std::vector<MediaId> usable(
    db::Write&, AccountId owner, const std::vector<MediaId>&, StatusId, ScheduledStatusId = {}
);

// Sets the media of an edited status in their new order: new ones are attached, as above; removed ones are
// kept for its history. Returns false if nothing changed.
bool rearrange(db::Write&, AccountId owner, StatusId, const std::vector<MediaId>&);

// Reserves the media for a scheduled status; fails for the same reasons as attach(). Owners may still
// describe them (`update`). `unreserve` frees those of a cancelled one.
void reserve(db::Write&, AccountId owner, ScheduledStatusId, const std::vector<MediaId>&);
void unreserve(db::Write&, ScheduledStatusId);
// Reserved for any of these, by scheduled status and position; one query.
std::vector<Media> of_scheduled(db::Read&, const std::vector<ScheduledStatusId>&);

// Releases the media of a deleted status: kept for a day for a redraft, or removed at once.
void release(db::Write&, StatusId, bool remove);

// Removes media that were not attached for more than a day, some hundred at a time.
void remove_expired(db::Write&);

}  // namespace media
