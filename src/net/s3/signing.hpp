// SPDX-License-Identifier: AGPL-3.0-or-later
// Signatures by which S3 knows who asks (AWS Signature Version 4), as values: no socket, no clock.
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
    std::string host;     // with its port, where that is not the usual one
    std::string path;     // as it is meant, not encoded; begins with /
    Pairs query;          // likewise
    Pairs headers;        // names in lower case; all of them are signed, and Host
    std::string payload;  // SHA-256 of the body, in hex
    base::Time at;
};

// What is sent besides `headers`: x-amz-date, x-amz-content-sha256, authorization.
Pairs signed_headers(const Unsigned&, const Keys&);

// The query of an address by which whoever has it may do this for some seconds.
std::string presigned_query(const Unsigned&, const Keys&, int seconds);

std::string encoded_path(std::string_view);
std::string encoded_query(Pairs);  // sorted

// SHA-256 of files that do not fit in memory (digest.cpp). Throws std::system_error.
std::string sha256_of(const std::filesystem::path&, std::uint64_t offset, std::uint64_t length);
std::string sha256_of(const std::filesystem::path&);

}  // namespace net::s3
