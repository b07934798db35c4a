// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/processing.hpp"

#include "base/log.hpp"
#include "db/lock.hpp"
#include "social/media/hashes/quarantine.hpp"

namespace media {

void take_over(Media& m, const Stored& stored) {
    m.type = stored.type;
    m.file = stored.file;
    m.preview = stored.preview;
    m.mime = stored.mime;
    m.width = stored.width;
    m.height = stored.height;
    m.preview_width = stored.preview_width;
    m.preview_height = stored.preview_height;
    if (!stored.blurhash.empty()) m.blurhash = stored.blurhash;
    m.frame_rate = stored.frame_rate;
    m.colors = stored.colors;
    m.duration = stored.duration;
    m.bitrate = stored.bitrate;
}

const db::Command insert_processing{
    "insert_processing", "INSERT INTO media_processing (media_id, source) VALUES ($1, $2)"
};

MediaId enqueue(db::Write& db, const Media& m, const std::string& source) {
    auto waiting = m;
    waiting.processing = Processing::queued;
    auto id = create(db, waiting);
    db.run(insert_processing, id, source);
    db.announce({std::string(encoding_channel), {}, {}});
    return id;
}

const db::Query<Task> lease_processing{
    "lease_processing",
    R"(UPDATE media_processing SET leased_until = $2, leased_by = $3, attempts = attempts + 1 WHERE media_id = (
           SELECT media_id FROM media_processing WHERE leased_until < $1
           ORDER BY leased_until, media_id LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING media_id, source, attempts)"
};
const db::Command set_processing{
    "set_processing", "UPDATE media SET processing = $2 WHERE id = $1 AND processing <> 'complete'"
};

std::optional<Task> next_task(db::Write& db) {
    auto task =
        db.maybe(lease_processing, db.now(), db.now().plus_seconds(encoding_lease_seconds), db.node());
    if (task) db.run(set_processing, task->media_id, Processing::in_progress);
    return task;
}

const db::Command release_media_processing{
    "release_media_processing", "UPDATE media_processing SET leased_until = 0 WHERE " LEASED_BY("$1")
};

void release_tasks(db::Write& db, std::string_view node) {
    db.run(release_media_processing, node);
    db.announce({std::string(encoding_channel), {}, {}});
}

const db::Query<AccountId> owner_of_media{"owner_of_media", "SELECT account_id FROM media WHERE id = $1"};
const db::Command delete_processing{"delete_processing", "DELETE FROM media_processing WHERE media_id = $1"};
// A thumbnail uploaded meanwhile is kept.
const db::Command complete_media{
    "complete_media",
    R"(UPDATE media SET processing = 'complete', type = $2, file = $3, preview = $4, mime = $5, width = $6,
           height = $7, frame_rate = $8, duration = $10, bitrate = $11,
           preview_width = CASE WHEN thumbnail IS NULL THEN $12 ELSE preview_width END,
           preview_height = CASE WHEN thumbnail IS NULL THEN $13 ELSE preview_height END,
           blurhash = CASE WHEN thumbnail IS NULL THEN $14 ELSE blurhash END,
           colors = CASE WHEN thumbnail IS NULL THEN $9 ELSE colors END
       WHERE id = $1 AND processing <> 'complete')"
};

namespace {

AccountId owner_of(db::Read& db, MediaId id) { return db.maybe(owner_of_media, id).value_or(AccountId{}); }

bool complete(db::Write& db, MediaId id, const Stored& made) {
    std::optional<std::string> blurhash;
    if (!made.blurhash.empty()) blurhash = made.blurhash;
    return db.run(
               complete_media,
               id,
               made.type,
               made.file,
               made.preview,
               made.mime,
               made.width,
               made.height,
               made.frame_rate,
               made.colors,
               made.duration,
               made.bitrate,
               made.preview_width,
               made.preview_height,
               blurhash
           ) != 0;
}

}  // namespace

void finish(db::Write& db, const Task& task, const Processed& processed) {
    db.run(delete_processing, task.media_id);
    const auto* made = std::get_if<Stored>(&processed);
    if (!made) {
        db.run(set_processing, task.media_id, Processing::failed);
        return;
    }
    if (complete(db, task.media_id, *made)) {
        tell_whose(db, made->file, {owner_of(db, task.media_id), task.media_id, {}});
        return;
    }
    // Its owner deleted it, or another encoder was faster.
    FilesReleased left;
    if (!made->preview.empty()) left.files.push_back(made->preview);
    left.files.push_back(made->file);
    db.emit(left);
}

const db::Command postpone_processing{
    "postpone_processing", "UPDATE media_processing SET leased_until = $2 WHERE media_id = $1"
};

void give_back(db::Write& db, const Task& task) {
    constexpr std::int64_t pause_seconds = 15;
    if (task.attempts >= most_attempts) return finish(db, task, sandbox::Reason::crashed);
    db.run(postpone_processing, task.media_id, db.now().plus_seconds(pause_seconds));
    db.run(set_processing, task.media_id, Processing::queued);
}

jobs::Idle encode_next(const jobs::Sessions& sessions, const Store& store) {
    std::optional<Task> task;
    sessions.change("lease_media", [&](db::Write& db) {
        db.beside_others();
        task = next_task(db);
    });
    if (!task) return jobs::WorkSignal::longest;
    // If decoding crashes the process, or it is killed, the row is not given back.
    constexpr std::int64_t most_begun = 10;
    if (task->attempts > most_begun) {
        sessions.change("give_up_media", [&](db::Write& db) { finish(db, *task, sandbox::Reason::crashed); });
        store.forget(task->source);
        return std::nullopt;
    }
    try {
        auto made = store.encode(task->source);
        sessions.change("finish_media", [&](db::Write& db) { finish(db, *task, made); });
        store.forget(task->source);
    } catch (const std::exception& e) {
        base::log_warning(
            "media wait", {{"media", std::to_string(task->media_id.value)}, {"cause", e.what()}}
        );
        sessions.change("give_back_media", [&](db::Write& db) { give_back(db, *task); });
    }
    return std::nullopt;
}

}  // namespace media
