// SPDX-License-Identifier: AGPL-3.0-or-later
// From a backup back to a database and its files.
#pragma once
#include "backup/archive.hpp"

#include <functional>

namespace backup {

// Asked between the pieces of long work: whether it has to end, which it does by throwing base::Stopping.
using Stopped = std::function<bool()>;
void go_on_unless(const Stopped&);

struct Restored {
    std::int64_t base = 0;   // the whole copy it began with
    std::int64_t until = 0;  // what was committed up to then is there
    std::int64_t end = 0;    // up to then the backup reaches
    Words passed_over;       // what is damaged and was not used
};

// Makes the database as it was at `at`, or as late as the backup reaches; there must be no file of that name. Throws Broken
// and Away. Every byte is compared with its hash or checksum on the way.
Restored restore_database(
    const Archive&, std::optional<std::int64_t> at, const fs::path& database, const Stopped& = {}
);

// What it would be, without making it.
std::vector<std::int64_t> bases_until(const Archive&, std::optional<std::int64_t> at);
std::int64_t end_of(const Archive&);  // the last moment it reaches; 0: none

// The settings that were kept with it, but for those that are there. Answers which are missing in the backup or damaged.
Words restore_files(const Archive&, std::int64_t base, const fs::path& folder);
struct RestoredMedia {
    std::int64_t files = 0;
    Words faults;  // of files that are missing in the backup or damaged; these are left out
};
// Those that were there at that time. Those that are there already are left.
RestoredMedia restore_media(const Archive&, std::int64_t at, const fs::path& folder);

}  // namespace backup
