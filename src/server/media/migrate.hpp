// SPDX-License-Identifier: AGPL-3.0-or-later
// Moves media between the folder and the bucket; a server may be running. Files that already exist with the
// same content are skipped, so an interrupted run can simply be repeated.
#pragma once
#include "config/config.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace server {

struct MediaMove {
    MediaStore to = MediaStore::s3;
    bool dry_run = false;
    bool remove = false;  // each original, once its copy has been verified
    int threads = 8;
};

struct MediaMoved {
    std::int64_t files = 0, bytes = 0;  // to be moved
    std::int64_t there = 0;             // that existed there already
    std::int64_t copied = 0, copied_bytes = 0;
    std::int64_t gone = 0;  // removed meanwhile
    std::int64_t removed = 0, failed = 0;
    std::vector<std::string> problems;  // some of them
};

// `progress` is called about every two seconds. Throws Refused if continuing makes no sense.
MediaMoved move_media(
    const Config&, const MediaMove&, const std::function<void(const MediaMoved&)>& progress
);

}  // namespace server
