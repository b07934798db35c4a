// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/s3/signing.hpp"

#include "base/hash/digest.hpp"
#include "net/fd.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

namespace net::s3 {

std::string sha256_of(const std::filesystem::path& path, std::uint64_t offset, std::uint64_t length) {
    const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) throw std::system_error(errno, std::generic_category(), path.string());
    base::Digest digest;
    std::string some(std::size_t{1} << 16, '\0');
    while (length > 0) {
        const auto count = ::pread(
            file.get(), some.data(), std::min<std::uint64_t>(some.size(), length), static_cast<off_t>(offset)
        );
        if (count < 0) throw std::system_error(errno, std::generic_category(), path.string());
        if (count == 0) break;
        digest.add({some.data(), static_cast<std::size_t>(count)});
        offset += static_cast<std::uint64_t>(count);
        length -= static_cast<std::uint64_t>(count);
    }
    return digest.hex();
}

std::string sha256_of(const std::filesystem::path& path) {
    return sha256_of(path, 0, std::filesystem::file_size(path));
}

}  // namespace net::s3
