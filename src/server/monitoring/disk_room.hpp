// SPDX-License-Identifier: AGPL-3.0-or-later
// How much space is left on the disks that this server writes to, and the consequences: first copies of
// remote pictures are removed, then nothing new is accepted, so that the rest remains for operations that
// free space (docs/decisions/0050-read-only.md).
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

// At most a tenth of a disk of `size` bytes is reserved, whatever is configured.
std::uint64_t reserve_of(std::uint64_t configured, std::uint64_t size);
// Of the disk with this folder; nullopt if it cannot be determined.
std::optional<DiskRoom> disk_room(const Config&, const std::filesystem::path& folder);
// The fuller one of the disks with data and media; nullopt if that cannot be determined.
std::optional<DiskRoom> disk_room(const Config&);

// Closes and opens the gate depending on free space. If a change found the disk full although it seems not to
// be (a quota, a database on another machine), that is believed for a while; then the next change is allowed
// to try.
class DiskWatch {
public:
    using Clock = std::chrono::steady_clock;
    DiskWatch(db::WriteGate& gate) : gate_(gate) {}

    // Call every few seconds, on one thread.
    Room look(const std::optional<DiskRoom>&, Clock::time_point now = Clock::now());

private:
    db::WriteGate& gate_;
    bool shut_ = false;  // because of free space seen here
    std::optional<Clock::time_point> found_full_;
};

}  // namespace server
