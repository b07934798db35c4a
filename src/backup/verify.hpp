// SPDX-License-Identifier: AGPL-3.0-or-later
// A backup that was never restored is none: so it is, into a folder aside, and looked at.
#pragma once
#include "backup/restore.hpp"

namespace backup {

struct Verified {
    std::string at;  // when that was
    bool sound = false;
    Words faults;  // sentences
    std::string restored_until;
    std::int64_t milliseconds = 0, media_files = 0, media_compared = 0;
};
DESCRIBE(Verified, at, sound, faults, restored_until, milliseconds, media_files, media_compared)

struct VerifyOptions {
    std::optional<std::int64_t> at;
    fs::path scratch;                // a folder that is made and removed
    std::size_t media_sample = 200;  // so many files are compared with their hashes; all are looked for
    // What the program has to say of the restored database.
    std::function<Words(const fs::path& database)> judge;
    Stopped stopped;
};

// Writes what was found into the backup. Throws Away, also where there is no room to restore it, and base::Stopping, which
// write nothing.
Verified verify(const Archive&, const VerifyOptions&, std::int64_t now);

struct LastVerified {
    std::int64_t ms = 0;  // 0: never
    bool sound = false;
};
LastVerified last_verified(const Archive&);

}  // namespace backup
