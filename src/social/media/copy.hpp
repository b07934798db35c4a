// SPDX-License-Identifier: AGPL-3.0-or-later
// Copies of remote pictures: made on demand, by the media worker like uploads, and removed when they exceed
// their limit and have not been viewed for long.
#pragma once
#include "jobs/reactions.hpp"
#include "social/media/store.hpp"

namespace media {

struct Copy {
    std::string file, small;  // paths below data/media; no file: fetching failed
    base::Time fetched_at, used_at;
};
DESCRIBE(Copy, file, small, fetched_at, used_at)

std::optional<Copy> find_copy(db::Read&, std::string_view url);
// Whether to ask again: copies not used for long are recorded as used, failures are retried.
bool is_stale(const Copy&, base::Time now);

// The question that makes a copy, or records that it is viewed. No file: it cannot be fetched now.
struct MakeCopy {
    std::string url;
    // The owner and the post that shows it, if known.
    base::AccountId account;
    base::StatusId status;
    using Answer = Copy;
};
DESCRIBE(MakeCopy, url, account, status)

void keep_copy(db::Write&, std::string_view url, const Copy&, std::int64_t bytes);
void note_copy_used(db::Write&, std::string_view url);

struct Usage {
    std::int64_t files = 0, bytes = 0;
};
DESCRIBE(Usage, files, bytes)
Usage usage_of_copies(db::Read&);

constexpr std::int64_t default_copies_megabytes = 10'240;
std::int64_t most_bytes_of_copies(db::Read&);
void set_most_megabytes_of_copies(db::Write&, std::int64_t);

// Removes some of the least recently viewed copies while the total exceeds `bytes`; returns true if more have
// to be removed.
bool prune_copies_to(db::Write&, std::int64_t bytes);
jobs::Change prune_copies(db::Read&);  // periodic

// Emitted once a minute while the disk is nearly full: for ten minutes the limit of copies is halved, and the
// excess is removed at once, in steps.
void note_short_of_room(db::Write&);
struct ShortOfRoom {};
DESCRIBE(ShortOfRoom)
struct RoomOfCopiesContinued {
    std::int64_t total = 0, most = 0;  // bytes
};
DESCRIBE(RoomOfCopiesContinued, total, most)
jobs::Change begin_making_room(db::Read&, const ShortOfRoom&);       // reaction
void make_room_of_copies(db::Write&, const RoomOfCopiesContinued&);  // reaction

// Whether a file below data/media belongs to a copy.
bool is_copy(db::Read&, std::string_view file);

void forget_copy(db::Write&, std::string_view url);

}  // namespace media
