// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/media/places.hpp"

#include "config/clock.hpp"
#include "server/media/both_files.hpp"

namespace server {

net::s3::Options bucket_options(const Config& config, std::stop_token stop) {
    net::s3::Options options;
    options.endpoint = config.s3_endpoint;
    options.bucket = config.s3_bucket;
    options.keys = {config.s3_region, config.s3_access_key, config.s3_secret_key};
    options.prefix = config.s3_prefix;
    options.path_style = config.s3_path_style;
    options.extra_ca_file = config.extra_ca_file;
    options.clock = clock_now;
    options.stop = std::move(stop);
    return options;
}

MediaPlaces media_places(const Config& config, std::stop_token stop) {
    const auto folder = std::make_shared<media::FolderFiles>(config.media_path());
    if (config.s3_bucket.empty())
        return {media::Store(config.media_path(), folder, config.accept_heif), nullptr};
    auto bucket = std::make_shared<BucketFiles>(
        bucket_options(config, std::move(stop)),
        config.data_path() / "media-cache",
        static_cast<std::uint64_t>(config.media_cache_mb) << 20
    );
    using Both = std::shared_ptr<media::Files>;
    const bool to_bucket = config.media_store == MediaStore::s3;
    auto files = std::make_shared<BothFiles>(
        to_bucket ? Both(bucket) : Both(folder), to_bucket ? Both(folder) : Both(bucket), folder
    );
    return {media::Store(config.media_path(), std::move(files), config.accept_heif), std::move(bucket)};
}

}  // namespace server
