// SPDX-License-Identifier: AGPL-3.0-or-later
// Moving media between the folder and the bucket, beside a server that may be running. What is there already with the same
// content is left alone, so whoever begins again goes on.
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
    bool remove = false;  // each file from where it was, once its copy was verified
    int threads = 8;
};

struct MediaMoved {
    std::int64_t files = 0, bytes = 0;  // that are to be there
    std::int64_t there = 0;             // that were there already
    std::int64_t copied = 0, copied_bytes = 0;
    std::int64_t gone = 0;  // that were removed meanwhile
    std::int64_t removed = 0, failed = 0;
    std::vector<std::string> problems;  // some
};

// `progress` is told about every two seconds. Throws Refused when it has no sense to go on.
MediaMoved move_media(
    const Config&, const MediaMove&, const std::function<void(const MediaMoved&)>& progress
);

}  // namespace server
