// SPDX-License-Identifier: AGPL-3.0-or-later
// Keeps the folder of uploads and the table consistent. A file is never deleted before the deletion of its
// row is committed, and a file without a row is found a day later.
#pragma once
#include "jobs/reactions.hpp"
#include "social/media/media.hpp"
#include "social/media/store.hpp"

namespace media {

// Periodic: removes media that were not attached for a day, and starts the sweep of one shard, so that all
// shards are swept in about 21 hours.
constexpr std::int64_t sweep_every_seconds = 300;
void sweep(db::Write&);

// The sweep of a shard; contains all the parameters of its job, because a job that asks is run again and must
// ask the same.
struct SweepDue {
    int shard = 0;
    base::Time before;
};
DESCRIBE(SweepDue, shard, before)

// Announced when files were deleted or hidden: nodes drop their copies of files in a bucket.
constexpr std::string_view gone_channel = "files gone";
void announce_gone(db::Write&, const std::vector<std::string>& files);
std::vector<std::string> files_gone(std::string_view payload);

// For server/reactions.cpp, both `asks`.
jobs::Change remove_files(const base::Ask&, db::Read&, const FilesReleased&);
jobs::Change sweep_orphans(const base::Ask&, db::Read&, const SweepDue&);

}  // namespace media
