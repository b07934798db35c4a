// SPDX-License-Identifier: AGPL-3.0-or-later
// A temporary file being written: part of a request that is too large for memory.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace http {

class Spool {
public:
    // The constructor and write() throw base::Unavailable when writing fails.
    explicit Spool(const std::filesystem::path& folder);
    Spool(const Spool&) = delete;
    Spool& operator=(const Spool&) = delete;
    ~Spool();

    void write(std::string_view bytes);
    // The file is removed with the last copy of this pointer.
    std::shared_ptr<const std::filesystem::path> path() const { return path_; }
    std::uint64_t size() const { return size_; }

private:
    int descriptor_;
    std::shared_ptr<const std::filesystem::path> path_;
    std::uint64_t size_ = 0;
};

}  // namespace http
