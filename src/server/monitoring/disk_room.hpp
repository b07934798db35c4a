// SPDX-License-Identifier: AGPL-3.0-or-later
// How much room the disks have that this server writes to, and what is done about it: copies of pictures of other servers
// make room first, then nothing new is taken, so that the rest is left for what frees some
// (docs/decisions/0050-read-only.md).
#pragma once
#include "config/config.hpp"
#include "db/write_gate.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace server {

enum class Room { plenty, little, none };

struct DiskRoom {
    std::string folder;
    std::uint64_t free = 0, reserve = 0;

    Room room() const {
        if (free < reserve) return Room::none;
        return free < 2 * reserve ? Room::little : Room::plenty;
    }
};

// Of one of `size` bytes a tenth is kept at most, whatever is configured.
std::uint64_t reserve_of(std::uint64_t configured, std::uint64_t size);
// Of the disk that holds the folder; nothing where it cannot be asked.
std::optional<DiskRoom> disk_room(const Config&, const std::filesystem::path& folder);
// The fuller one of those that hold the data and the media; nothing where they cannot be asked.
std::optional<DiskRoom> disk_room(const Config&);

// Fills and empties the gate, as the disks are. Whoever found no room although there should be some (a quota, a database on
// another machine) is believed for a while; then the next change tries again.
class DiskWatch {
public:
    using Clock = std::chrono::steady_clock;
    DiskWatch(db::WriteGate& gate) : gate_(gate) {}

    // Every few seconds, on one thread.
    Room look(const std::optional<DiskRoom>&, Clock::time_point now = Clock::now());

private:
    db::WriteGate& gate_;
    bool shut_ = false;  // by what was seen here
    std::optional<Clock::time_point> found_full_;
};

}  // namespace server
