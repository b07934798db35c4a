// SPDX-License-Identifier: AGPL-3.0-or-later
// Media: what was uploaded, to whom it belongs, which status shows it. The files themselves: store.hpp.
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
    std::optional<std::string> thumbnail;           // the owner's own; `preview` is it, then
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

// Nobody shows these files any more: a job deletes them after the commit (media_jobs.hpp).
struct FilesReleased {
    std::vector<std::string> files;  // paths below data/media
};
DESCRIBE(FilesReleased, files)

constexpr std::size_t max_description = 10'000;  // code points
constexpr std::int64_t unattached_lives_seconds = 86'400;

// Attached to any of these statuses, by status and position: one query for all.
std::vector<Media> of_statuses(db::Read&, const std::vector<StatusId>&);

// Own and not attached, or throws NotFound.
Media unattached(db::Read&, AccountId owner, MediaId);

// Throws Invalid when nothing could be made of the upload.
void require_not_failed(const Media&);

// A new one, attached to nothing; its id, status and position are not read.
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
// Own and not attached, or throws NotFound. Throws Invalid: description too long, processing failed.
void update(db::Write&, AccountId owner, MediaId, const Changes&);
// The same for media that a status shows; others are left alone. Whether anything is different now.
bool update_attached(db::Write&, AccountId owner, StatusId, MediaId, const Changes&);

// As it is stored: trimmed. Throws Invalid when it is too long.
std::string checked_description(std::string_view);

// Throws NotFound, or Invalid when a status shows it or a scheduled one will.
void remove(db::Write&, AccountId owner, MediaId);

// Attaches in the order given; `reserved_for` names the scheduled status that becomes this one. Throws Invalid: too
// many, unknown or of somebody else, already attached or reserved, unfinished, a video or audio beside others.
void attach(
    db::Write&, AccountId owner, StatusId, const std::vector<MediaId>&, ScheduledStatusId reserved_for = {}
);

// The ids, each once, if the status or the scheduled status may show them. Throws Invalid as attach does.
std::vector<MediaId> usable(
    db::Write&, AccountId owner, const std::vector<MediaId>&, StatusId, ScheduledStatusId = {}
);

// The media of an edited status, in their new order: new ones attached, as above; what it shows no longer stays with
// it, for its history. False when that is how it was.
bool rearrange(db::Write&, AccountId owner, StatusId, const std::vector<MediaId>&);

// Keeps the media for a scheduled status, which refuses for the same reasons as attach. Owners may still describe
// them (`update`). `unreserve` frees those of a cancelled one.
void reserve(db::Write&, AccountId owner, ScheduledStatusId, const std::vector<MediaId>&);
void unreserve(db::Write&, ScheduledStatusId);
// Reserved for any of these, by scheduled status and position: one query for all.
std::vector<Media> of_scheduled(db::Read&, const std::vector<ScheduledStatusId>&);

// What happens to the media of a deleted status: they wait a day for a redraft, or go at once.
void release(db::Write&, StatusId, bool remove);

// Removes those that waited longer than a day, some hundred at a time.
void remove_expired(db::Write&);

}  // namespace media
