// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/body/spool.hpp"

#include "base/errors.hpp"

#include <cerrno>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

namespace http {

Spool::Spool(const std::filesystem::path& folder) {
    auto name = (folder / "upload-XXXXXX").string();
    descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ < 0) throw base::Unavailable();
    path_ = {new std::filesystem::path(name), [](const std::filesystem::path* path) {
                 std::error_code ignored;
                 std::filesystem::remove(*path, ignored);
                 delete path;
             }};
}

Spool::~Spool() { ::close(descriptor_); }

void Spool::write(std::string_view bytes) {
    size_ += bytes.size();
    while (!bytes.empty()) {
        auto written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) throw base::Unavailable();
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace http
