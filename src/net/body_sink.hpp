// SPDX-License-Identifier: AGPL-3.0-or-later
// Where the body of a request goes while it comes in: memory first, a temporary file above a limit.
#pragma once
#include "http/message.hpp"
#include "net/fd.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace net {

class BodySink {
public:
    BodySink() = default;
    // `expected` is the declared length, when there is one.
    BodySink(http::BodyLimit, const std::filesystem::path& directory, std::optional<std::uint64_t> expected);

    enum class Outcome { stored, too_large, failed };
    Outcome write(std::string_view);
    std::uint64_t size() const { return size_; }
    void move_into(http::Request&);

private:
    bool open_file();
    bool write_file(std::string_view);

    http::BodyLimit limit_;
    std::filesystem::path directory_;
    std::uint64_t size_ = 0;
    std::string memory_;
    Fd file_;
    std::shared_ptr<const std::filesystem::path> path_;
};

// Removes what a crashed process left in the spool directory.
void remove_stale_bodies(const std::filesystem::path& directory);

}  // namespace net
