// SPDX-License-Identifier: AGPL-3.0-or-later
// Request signatures of S3 (AWS Signature Version 4) as pure functions: no socket, no clock.
#pragma once
#include "base/time.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace net::s3 {

struct Keys {
    std::string region, access, secret;
};

using Pairs = std::vector<std::pair<std::string, std::string>>;

struct Unsigned {
    std::string method;
    std::string host;     // with its port, unless it is the default one
    std::string path;     // not encoded; begins with /
    Pairs query;          // not encoded
    Pairs headers;        // names in lower case; all are signed, and so is Host
    std::string payload;  // SHA-256 of the body, in hex
    base::Time at;
};

// The additional headers to send: x-amz-date, x-amz-content-sha256, authorization.
Pairs signed_headers(const Unsigned&, const Keys&);

// The query of a presigned URL: whoever has it may make this request for some seconds.
std::string presigned_query(const Unsigned&, const Keys&, int seconds);

std::string encoded_path(std::string_view);
std::string encoded_query(Pairs);  // sorted

// SHA-256 of files that do not fit in memory (digest.cpp). Throws std::system_error.
std::string sha256_of(const std::filesystem::path&, std::uint64_t offset, std::uint64_t length);
std::string sha256_of(const std::filesystem::path&);

}  // namespace net::s3
