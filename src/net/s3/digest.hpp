// SPDX-License-Identifier: AGPL-3.0-or-later
// SHA-256 of what does not fit in memory.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace net::s3 {

class Digest {
public:
    Digest();
    void add(std::string_view bytes);
    std::string hex();  // the end of it

private:
    struct End {
        void operator()(evp_md_ctx_st*) const;
    };
    std::unique_ptr<evp_md_ctx_st, End> context_;
};

// Throws std::system_error.
std::string sha256_of(const std::filesystem::path&, std::uint64_t offset, std::uint64_t length);
std::string sha256_of(const std::filesystem::path&);

}  // namespace net::s3
