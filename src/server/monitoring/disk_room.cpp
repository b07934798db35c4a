// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/monitoring/disk_room.hpp"

#include "base/log.hpp"
#include "base/text/figures.hpp"

#include <sys/statvfs.h>

#include <algorithm>

namespace server {

namespace {

constexpr std::chrono::seconds believed_for{10};

}  // namespace

std::uint64_t reserve_of(std::uint64_t configured, std::uint64_t size) {
    return std::min(configured, size / 10);
}

std::optional<DiskRoom> disk_room(const Config& config, const std::filesystem::path& folder) {
    struct statvfs facts{};
    if (::statvfs(folder.c_str(), &facts) != 0) return std::nullopt;
    const auto bytes = [&](auto blocks) { return static_cast<std::uint64_t>(blocks) * facts.f_frsize; };
    const auto configured = static_cast<std::uint64_t>(config.disk_reserve_mb) << 20;
    return DiskRoom{folder.string(), bytes(facts.f_bavail), reserve_of(configured, bytes(facts.f_blocks))};
}

std::optional<DiskRoom> disk_room(const Config& config) {
    auto data = disk_room(config, config.data_path());
    auto media = disk_room(config, config.media_path());
    if (!data || !media) return data ? data : media;
    // Compares what is left above the reserve, which depends on each disk's size.
    const auto over = [](const DiskRoom& one) {
        return static_cast<std::int64_t>(one.free) - static_cast<std::int64_t>(2 * one.reserve);
    };
    return over(*media) < over(*data) ? media : data;
}

Room DiskWatch::look(const std::optional<DiskRoom>& disk, Clock::time_point now) {
    const auto room = disk ? disk->room() : Room::plenty;
    if (room == Room::none) {
        if (!shut_)
            base::log_error(
                "the disk is nearly full: nothing new is taken until there is room again",
                {{"folder", disk->folder},
                 {"free", base::text::shown_bytes(disk->free)},
                 {"reserve", base::text::shown_bytes(disk->reserve)}}
            );
        shut_ = true;
        gate_.fill();
        return room;
    }
    if (!gate_.is_full()) {
        found_full_.reset();
        return room;
    }
    if (!shut_) {
        if (!found_full_) found_full_ = now;
        if (now - *found_full_ < believed_for) return room;
    }
    shut_ = false;
    found_full_.reset();
    gate_.empty();
    base::log_info("there is room again: everything is taken as before");
    return room;
}

}  // namespace server
