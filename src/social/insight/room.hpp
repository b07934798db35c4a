// SPDX-License-Identifier: AGPL-3.0-or-later
// Storage used by data from other servers, by kind and by server; for `dunlin prune`. Scans all of it, some
// thousand rows at a time, each in a snapshot of its own.
#pragma once
#include "base/describe.hpp"
#include "jobs/sessions.hpp"

#include <string>
#include <vector>

namespace insight {

struct RoomOfKind {
    std::string kind;
    std::int64_t number = 0, bytes = 0;
    std::int64_t goes = 0;  // of `number`: what the rules would remove now
};
DESCRIBE(RoomOfKind, kind, number, bytes, goes)

struct RoomOfServer {
    std::string domain;
    std::int64_t bytes = 0, posts = 0, files = 0;
};
DESCRIBE(RoomOfServer, domain, bytes, posts, files)

struct Room {
    std::vector<RoomOfKind> kinds;
    std::vector<RoomOfServer> servers;  // the largest ones
};
DESCRIBE(Room, kinds, servers)

constexpr std::size_t servers_told = 10;
constexpr std::int64_t days_of_absence = 180;  // if homes are kept forever
// Approximate size of a post without its text, including indexes, as measured.
constexpr std::int64_t bytes_beside_words = 800, bytes_of_home_entry = 25;

// The limits to estimate for: days that untouched posts, and homes of inactive users, would be kept; 0:
// forever.
struct DaysKept {
    std::int64_t posts = 0, homes = 0;
};
Room room_taken(const jobs::Sessions&, const DaysKept&);

}  // namespace insight
