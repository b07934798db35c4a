// SPDX-License-Identifier: AGPL-3.0-or-later
// Keeping the folder of uploads and the table in step. A file never goes before the row that names it is gone for
// good, and a file without a row is found a day later.
#pragma once
#include "jobs/reactions.hpp"
#include "social/media/media.hpp"
#include "social/media/store.hpp"

namespace media {

// For server/periodic.cpp: removes what waited longer than a day for a status, and has one of the shards swept, so
// that all have had their turn after about 21 hours.
constexpr std::int64_t sweep_every_seconds = 300;
void sweep(db::Write&);

// A shard's turn; says all that its job needs, because a job that asks is run again and must ask the same.
struct SweepDue {
    int shard = 0;
    base::Time before;
};
DESCRIBE(SweepDue, shard, before)

// Announced once these are gone, or hidden: a node that has copies of what is in a bucket drops them.
constexpr std::string_view gone_channel = "files gone";
void announce_gone(db::Write&, const std::vector<std::string>& files);
std::vector<std::string> files_gone(std::string_view payload);

// For server/reactions.cpp, both `asks`.
jobs::Change remove_files(const base::Ask&, db::Read&, const FilesReleased&);
jobs::Change sweep_orphans(const base::Ask&, db::Read&, const SweepDue&);

}  // namespace media
