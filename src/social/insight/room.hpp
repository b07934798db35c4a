// SPDX-License-Identifier: AGPL-3.0-or-later
// What takes room on this server that came from others, by kind and by server; for `dunlin prune`. It goes through all of it, some
// thousand rows at a time, each time in a snapshot of its own.
#pragma once
#include "base/describe.hpp"
#include "jobs/sessions.hpp"

#include <string>
#include <vector>

namespace insight {

struct RoomOfKind {
    std::string kind;
    std::int64_t number = 0, bytes = 0;
    std::int64_t goes = 0;  // of the number: what the rules would remove now
};
DESCRIBE(RoomOfKind, kind, number, bytes, goes)

struct RoomOfServer {
    std::string domain;
    std::int64_t bytes = 0, posts = 0, files = 0;
};
DESCRIBE(RoomOfServer, domain, bytes, posts, files)

struct Room {
    std::vector<RoomOfKind> kinds;
    std::vector<RoomOfServer> servers;  // those that take most
};
DESCRIBE(Room, kinds, servers)

constexpr std::size_t servers_told = 10;
constexpr std::int64_t days_of_absence = 180;  // where homes are kept for ever
// What a post takes besides its words, with all that finds it, as about measured.
constexpr std::int64_t bytes_beside_words = 800, bytes_of_home_entry = 25;

// What would go if posts that nobody touched, and homes of who is away, were kept for so many days; 0: for ever.
struct DaysKept {
    std::int64_t posts = 0, homes = 0;
};
Room room_taken(const jobs::Sessions&, const DaysKept&);

}  // namespace insight
