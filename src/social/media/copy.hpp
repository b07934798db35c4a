// SPDX-License-Identifier: AGPL-3.0-or-later
// Copies of pictures of other servers: made when somebody looks, by the media worker like uploads, and removed when
// they take more room than they may and nobody has looked for long.
#pragma once
#include "jobs/reactions.hpp"
#include "social/media/store.hpp"

namespace media {

struct Copy {
    std::string file, small;  // paths below data/media; no file: it could not be had
    base::Time fetched_at, used_at;
};
DESCRIBE(Copy, file, small, fetched_at, used_at)

std::optional<Copy> find_copy(db::Read&, std::string_view url);
// Whether it is as good as if there were none: long unused ones are noted as used, failures are tried again.
bool is_stale(const Copy&, base::Time now);

// The question that has a copy made, or notes that it is looked at. No file: it cannot be had now.
struct MakeCopy {
    std::string url;
    // Whose it is and which post shows it, as far as somebody knows.
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

// Removes some of those that nobody has looked at for the longest time, while all take more than so many bytes; true
// when more are to go.
bool prune_copies_to(db::Write&, std::int64_t bytes);
jobs::Change prune_copies(db::Read&);  // periodic

// Something is said when the disk runs short, once a minute: for ten minutes copies may take half of what they may
// otherwise, and what is more goes at once, in steps.
void note_short_of_room(db::Write&);
struct ShortOfRoom {};
DESCRIBE(ShortOfRoom)
struct RoomOfCopiesContinued {
    std::int64_t total = 0, most = 0;  // bytes
};
DESCRIBE(RoomOfCopiesContinued, total, most)
jobs::Change begin_making_room(db::Read&, const ShortOfRoom&);       // reaction
void make_room_of_copies(db::Write&, const RoomOfCopiesContinued&);  // reaction

// Whether a file below data/media belongs to one.
bool is_copy(db::Read&, std::string_view file);

void forget_copy(db::Write&, std::string_view url);

}  // namespace media
