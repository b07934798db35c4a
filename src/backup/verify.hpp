// SPDX-License-Identifier: AGPL-3.0-or-later
// An untested backup cannot be relied on: this restores it into a temporary folder and examines the result.
#pragma once
#include "backup/restore.hpp"

namespace backup {

struct Verified {
    std::string at;  // when it was verified
    bool sound = false;
    Words faults;  // sentences
    std::string restored_until;
    std::int64_t milliseconds = 0, media_files = 0, media_compared = 0;
};
DESCRIBE(Verified, at, sound, faults, restored_until, milliseconds, media_files, media_compared)

struct VerifyOptions {
    std::optional<std::int64_t> at;
    fs::path scratch;                // a folder that is made and removed
    std::size_t media_sample = 200;  // how many files are hashed; the presence of all is checked
    // The program's own checks of the restored database.
    std::function<Words(const fs::path& database)> judge;
    Stopped stopped;
};

// Records the result in the backup. Throws Away, also if there is no room to restore it, and base::Stopping;
// then nothing is recorded.
Verified verify(const Archive&, const VerifyOptions&, std::int64_t now);

struct LastVerified {
    std::int64_t ms = 0;  // 0: never
    bool sound = false;
};
LastVerified last_verified(const Archive&);

}  // namespace backup
