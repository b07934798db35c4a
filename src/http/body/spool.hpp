// SPDX-License-Identifier: AGPL-3.0-or-later
// A temporary file that is being written: what came with a request and is too large for memory.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace http {

class Spool {
public:
    // Both this and `write` throw base::Unavailable when the disk refuses.
    explicit Spool(const std::filesystem::path& folder);
    Spool(const Spool&) = delete;
    Spool& operator=(const Spool&) = delete;
    ~Spool();

    void write(std::string_view bytes);
    // The file is removed when the last copy of this pointer goes.
    std::shared_ptr<const std::filesystem::path> path() const { return path_; }
    std::uint64_t size() const { return size_; }

private:
    int descriptor_;
    std::shared_ptr<const std::filesystem::path> path_;
    std::uint64_t size_ = 0;
};

}  // namespace http
