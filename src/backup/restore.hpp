// SPDX-License-Identifier: AGPL-3.0-or-later
// Turns a backup back into a database and its files.
#pragma once
#include "backup/archive.hpp"

#include <functional>

namespace backup {

// Called between the steps of long work; when it returns true, the work ends by throwing base::Stopping.
using Stopped = std::function<bool()>;
void go_on_unless(const Stopped&);

struct Restored {
    std::int64_t base = 0;   // the full copy it started from
    std::int64_t until = 0;  // everything committed up to then is included
    std::int64_t end = 0;    // the latest time the backup reaches
    Words passed_over;       // damaged parts that were not used
};

// Restores the database as of `at`, or as late as possible. The file must not exist. Throws Broken and Away.
// Every byte is checked against its hash or checksum.
Restored restore_database(
    const Archive&, std::optional<std::int64_t> at, const fs::path& database, const Stopped& = {}
);

// Which copies could be restored, without restoring any.
std::vector<std::int64_t> bases_until(const Archive&, std::optional<std::int64_t> at);
std::int64_t end_of(const Archive&);  // the latest time it reaches; 0: none

// Restores the settings files of that copy.
void restore_files(const Archive&, std::int64_t base, const fs::path& folder);
struct RestoredMedia {
    std::int64_t files = 0;
    Words faults;  // missing or damaged in the backup; these are skipped
};
// Restores the files that existed at that time. Existing files are left alone.
RestoredMedia restore_media(const Archive&, std::int64_t at, const fs::path& folder);

}  // namespace backup
