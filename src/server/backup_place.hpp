// SPDX-License-Identifier: AGPL-3.0-or-later
// Where backups are, by how they are written: a folder, or s3://BUCKET/PREFIX.
#pragma once
#include "backup/target.hpp"
#include "config/config.hpp"
#include "net/s3/client.hpp"

namespace server {

// Throws ConfigError, with the option that is missing. Nothing is asked yet. Who keeps a backup comes again anyway, and needs
// few tries.
std::shared_ptr<backup::Target> backup_place(const Config&, const std::string& where, int tries = 3);
net::s3::Options backup_bucket_options(const Config&, const std::string& where);

// Which options say where a bucket is, for who tells what is wrong with it.
struct BucketOptions {
    std::string endpoint, bucket, region, access_key, secret_key, path_style;
};
BucketOptions options_of_media_bucket();
BucketOptions options_of_backup_bucket(const Config&);
// "backup_s3_secret_key: the secret key does not fit the access key (…); copy it again, or make a new key"
std::string sentence_of(const net::s3::Failure&, const BucketOptions&);

}  // namespace server
