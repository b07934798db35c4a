// SPDX-License-Identifier: AGPL-3.0-or-later
// The place of a backup, from its notation: a folder, or s3://BUCKET/PREFIX.
#pragma once
#include "backup/target.hpp"
#include "config/config.hpp"
#include "net/s3/client.hpp"

namespace server {

// Throws ConfigError naming a missing option. Makes no request yet. The backup keeper retries by itself and
// needs only few `tries`.
std::shared_ptr<backup::Target> backup_place(const Config&, const std::string& where, int tries = 3);
net::s3::Options backup_bucket_options(const Config&, const std::string& where);

// The options that configure a bucket, for error messages.
struct BucketOptions {
    std::string endpoint, bucket, region, access_key, secret_key, path_style;
};
BucketOptions options_of_media_bucket();
BucketOptions options_of_backup_bucket(const Config&);
// "backup_s3_secret_key: the secret key does not fit the access key (…); copy it again, or make a new key"
std::string sentence_of(const net::s3::Failure&, const BucketOptions&);

}  // namespace server
