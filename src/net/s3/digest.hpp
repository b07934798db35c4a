// SPDX-License-Identifier: AGPL-3.0-or-later
// SHA-256 of files that do not fit in memory.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

namespace net::s3 {

// Throws std::system_error.
std::string sha256_of(const std::filesystem::path&, std::uint64_t offset, std::uint64_t length);
std::string sha256_of(const std::filesystem::path&);

}  // namespace net::s3
