// SPDX-License-Identifier: AGPL-3.0-or-later
// Where this configuration stores files: in a folder, in a bucket, or in both while they are being moved.
#pragma once
#include "config/config.hpp"
#include "server/media/bucket_files.hpp"
#include "social/media/store.hpp"

#include <memory>
#include <stop_token>

namespace server {

struct MediaPlaces {
    media::Store store;
    std::shared_ptr<BucketFiles> bucket;  // null if none is configured
};

MediaPlaces media_places(const Config&, std::stop_token = {});

net::s3::Options bucket_options(const Config&, std::stop_token = {});

}  // namespace server
