// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/body_sink.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>

namespace net {

namespace {

constexpr std::string_view prefix = "dunlin-body-";

}  // namespace

BodySink::BodySink(
    http::BodyLimit limit, const std::filesystem::path& directory, std::optional<std::uint64_t> expected
)
    : limit_(limit), directory_(directory) {
    // A sender's word is not enough to set memory aside for, beyond this.
    constexpr std::uint64_t believed = 64 << 10;
    if (expected && *expected <= limit_.in_memory)
        memory_.reserve(static_cast<std::size_t>(std::min(*expected, believed)));
    if (expected && *expected > limit_.in_memory) limit_.in_memory = 0;
}

BodySink::Outcome BodySink::write(std::string_view part) {
    size_ += part.size();
    if (size_ > limit_.bytes) return Outcome::too_large;
    if (size_ <= limit_.in_memory) {
        memory_.append(part);
        return Outcome::stored;
    }
    if (!file_ && !(open_file() && write_file(std::exchange(memory_, {})))) return Outcome::failed;
    return write_file(part) ? Outcome::stored : Outcome::failed;
}

bool BodySink::open_file() {
    auto name = (directory_ / (std::string(prefix) + "XXXXXX")).string();
    file_ = Fd(::mkostemp(name.data(), O_CLOEXEC));
    if (!file_) return false;
    path_ = std::shared_ptr<const std::filesystem::path>(
        new std::filesystem::path(std::move(name)),
        [](const std::filesystem::path* path) {
            ::unlink(path->c_str());
            delete path;
        }
    );
    return true;
}

bool BodySink::write_file(std::string_view part) {
    while (!part.empty()) {
        const auto written = ::write(file_.get(), part.data(), part.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        part.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

void BodySink::move_into(http::Request& request) {
    file_ = {};
    request.body = std::move(memory_);
    request.spooled = std::move(path_);
}

void remove_stale_bodies(const std::filesystem::path& directory) {
    const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(24);
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(directory, ignored)) {
        if (!entry.path().filename().string().starts_with(prefix)) continue;
        std::error_code error;
        const auto written = entry.last_write_time(error);
        if (!error && written < old) std::filesystem::remove(entry.path(), error);
    }
}

}  // namespace net
