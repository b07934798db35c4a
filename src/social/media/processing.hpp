// SPDX-License-Identifier: AGPL-3.0-or-later
// Media that are encoded later: the queue, leases, and results. A row is leased to one encoder at a time; if
// that one dies, another takes over.
#pragma once
#include "jobs/sessions.hpp"
#include "jobs/worker.hpp"
#include "social/media/media.hpp"
#include "social/media/store.hpp"

namespace media {

// Announced when a row was queued.
constexpr std::string_view encoding_channel = "encoding";

// Copies the result of processing into the media.
void take_over(Media&, const Stored&);

// Like create(), but queued; `source` is the file that Store::take kept.
MediaId enqueue(db::Write&, const Media&, const std::string& source);

struct Task {
    MediaId media_id;
    std::string source;
    std::int64_t attempts = 0;  // including this one
};
DESCRIBE(Task, media_id, source, attempts)

constexpr std::int64_t encoding_lease_seconds = 3600;
constexpr std::int64_t most_attempts = 3;

// The next row in the queue, leased and in progress.
std::optional<Task> next_task(db::Write&);
void release_tasks(db::Write&, std::string_view node);  // as jobs::release_leases
// Stores the result: complete, or failed for good.
void finish(db::Write&, const Task&, const Processed&);
// It could not be tried: it is retried after a while, or fails after too many attempts.
void give_back(db::Write&, const Task&);

// Encodes the next row. Needs a thread of its own, because it takes minutes and would block jobs and
// requests. If sandbox::allow_workers(false) interrupts it, the row goes back to the queue.
jobs::Idle encode_next(const jobs::Sessions&, const Store&);

}  // namespace media
