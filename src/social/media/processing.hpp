// SPDX-License-Identifier: AGPL-3.0-or-later
// Media that are made later: rows that wait, the lease of the one who works on them, and what came of it. A row is
// leased to one encoder at a time; who dies leaves it to the next.
#pragma once
#include "jobs/sessions.hpp"
#include "jobs/worker.hpp"
#include "social/media/media.hpp"
#include "social/media/store.hpp"

namespace media {

// Announced when one was queued.
constexpr std::string_view encoding_channel = "encoding";

// What was made of an upload.
void take_over(Media&, const Stored&);

// As create(), but queued; `source` is what Store::take kept.
MediaId enqueue(db::Write&, const Media&, const std::string& source);

struct Task {
    MediaId media_id;
    std::string source;
    std::int64_t attempts = 0;  // this one included
};
DESCRIBE(Task, media_id, source, attempts)

constexpr std::int64_t encoding_lease_seconds = 3600;
constexpr std::int64_t most_attempts = 3;

// The next that waits, leased and in progress.
std::optional<Task> next_task(db::Write&);
void release_tasks(db::Write&, std::string_view node);  // as jobs::release_leases
// What came of it: ready, or failed for good.
void finish(db::Write&, const Task&, const Processed&);
// It could not be tried; somebody will after a while, or it fails when that happened too often.
void give_back(db::Write&, const Task&);

// Makes the next that waits, as one thread of its own does: it takes minutes, and jobs and requests would wait behind it.
// Ended early by sandbox::allow_workers(false), it gives back what is in work.
jobs::Idle encode_next(const jobs::Sessions&, const Store&);

}  // namespace media
