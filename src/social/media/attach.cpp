// SPDX-License-Identifier: AGPL-3.0-or-later
// Which media belong to a status or a scheduled status.
#include "social/media/hashes/quarantine.hpp"
#include "social/media/media.hpp"
#include "social/media/media_use.hpp"

#include <algorithm>

namespace media {

namespace {

struct Candidate {
    MediaId id;
    Type type = Type::image;
    Processing processing = Processing::complete;
    StatusId status_id;
    ScheduledStatusId scheduled_id;
};
DESCRIBE(Candidate, id, type, processing, status_id, scheduled_id)

// The status that gets them; one of the two ids is 0.
struct Taker {
    StatusId status;
    ScheduledStatusId scheduled;
};

[[noreturn]] void throw_not_found(const std::vector<MediaId>& ids) {
    std::string text = "Media ";
    const char* separator = "";
    for (auto id : ids) {
        text += separator + std::to_string(id.value);
        separator = ", ";
    }
    throw base::Invalid(text + " not found or already attached to another post");
}

bool may_take(const Taker& taker, const Candidate& m) {
    if (m.status_id) return m.status_id == taker.status;
    return !m.scheduled_id || m.scheduled_id == taker.scheduled;
}

void check(const Taker& taker, const std::vector<MediaId>& wanted, const std::vector<Candidate>& found) {
    std::vector<MediaId> missing;
    for (auto id : wanted) {
        auto m = std::ranges::find(found, id, &Candidate::id);
        if (m == found.end() || !may_take(taker, *m)) missing.push_back(id);
    }
    if (!missing.empty()) throw_not_found(missing);
    auto stands_alone = [](const Candidate& m) { return m.type == Type::video || m.type == Type::audio; };
    if (wanted.size() > 1 && std::ranges::any_of(found, stands_alone))
        throw base::Invalid("Cannot attach a video to a post that already contains images");
    if (!std::ranges::all_of(found, [](const Candidate& m) { return m.processing == Processing::complete; }))
        throw base::Invalid("Cannot attach files that have not finished processing. Try again in a moment!");
}

}  // namespace

void require_not_quarantined(db::Read& db, StatusId status, const std::vector<MediaId>& wanted) {
    if (!any_quarantined(db, wanted)) return;
    std::vector<MediaId> hidden;
    for (const auto& m : by_ids(db, wanted))
        if (m.status_id != status && any_quarantined(db, std::vector{m.id})) hidden.push_back(m.id);
    if (!hidden.empty()) throw_not_found(hidden);
}

const db::Query<Candidate> media_to_attach{
    "media_to_attach",
    R"(SELECT id, type, processing, status_id, scheduled_id FROM media
       WHERE id IN LIST($1) AND account_id = $2 FOR UPDATE)"
};

namespace {

// Without duplicates, in order; validated.
std::vector<MediaId> candidates(
    db::Write& db, AccountId owner, const Taker& taker, const std::vector<MediaId>& ids
) {
    if (ids.size() > static_cast<std::size_t>(db.site().max_media))
        throw base::Invalid("Cannot attach more than " + std::to_string(db.site().max_media) + " files");
    std::vector<MediaId> wanted;
    for (auto id : ids)
        if (std::ranges::find(wanted, id) == wanted.end()) wanted.push_back(id);
    if (!wanted.empty()) check(taker, wanted, db.all(media_to_attach, wanted, owner));
    return wanted;
}

}  // namespace

const db::Command attach_media{
    "attach_media",
    R"(UPDATE media SET status_id = $2, position = $3, free_since = NULL, scheduled_id = NULL WHERE id = $1)"
};

void attach(
    db::Write& db, AccountId owner, StatusId status, const std::vector<MediaId>& ids,
    ScheduledStatusId reserved_for
) {
    for (int position = 0; auto id : candidates(db, owner, {{}, reserved_for}, ids))
        db.run(attach_media, id, status, position++);
    tell_where_shown(db, status, ids);
}

const db::Query<MediaId> media_ids_of{
    "media_ids_of", "SELECT id FROM media WHERE status_id = $1 AND position >= 0 ORDER BY position"
};
// A position below 0: only in a former version.
const db::Command set_aside_media{"set_aside_media", "UPDATE media SET position = -1 WHERE id = $1"};

std::vector<MediaId> usable(
    db::Write& db, AccountId owner, const std::vector<MediaId>& ids, StatusId status,
    ScheduledStatusId scheduled
) {
    return candidates(db, owner, {status, scheduled}, ids);
}

bool rearrange(db::Write& db, AccountId owner, StatusId status, const std::vector<MediaId>& ids) {
    auto wanted = candidates(db, owner, {status, {}}, ids);
    auto shown = db.all(media_ids_of, status);
    if (wanted == shown) return false;
    for (auto id : shown)
        if (std::ranges::find(wanted, id) == wanted.end()) db.run(set_aside_media, id);
    for (int position = 0; auto id : wanted) db.run(attach_media, id, status, position++);
    tell_where_shown(db, status, wanted);
    return true;
}

const db::Command reserve_media{
    "reserve_media", "UPDATE media SET scheduled_id = $2, position = $3, free_since = NULL WHERE id = $1"
};

void reserve(db::Write& db, AccountId owner, ScheduledStatusId scheduled, const std::vector<MediaId>& ids) {
    for (int position = 0; auto id : candidates(db, owner, {{}, scheduled}, ids))
        db.run(reserve_media, id, scheduled, position++);
}

const db::Command unreserve_media{
    "unreserve_media", "UPDATE media SET scheduled_id = NULL, free_since = $2 WHERE scheduled_id = $1"
};

void unreserve(db::Write& db, ScheduledStatusId scheduled) { db.run(unreserve_media, scheduled, db.now()); }

const db::Query<Media> media_of_scheduled{
    "media_of_scheduled",
    R"(SELECT id, account_id, status_id, position, type, file, coalesce(thumbnail, preview) AS preview, mime, width, height, preview_width,
              preview_height, focus_x, focus_y, blurhash, description, scheduled_id, processing, thumbnail,
              frame_rate, colors, duration, bitrate
       FROM media WHERE scheduled_id IN LIST($1) ORDER BY scheduled_id, position)"
};

std::vector<Media> of_scheduled(db::Read& db, const std::vector<ScheduledStatusId>& scheduled) {
    return db.all(media_of_scheduled, scheduled);
}

}  // namespace media
