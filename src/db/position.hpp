// SPDX-License-Identifier: AGPL-3.0-or-later
// How far the changes of a database have come, as PostgreSQL counts them in its log (LSN): what a read has to see at
// least, where a replica may serve it.
#pragma once
#include <compare>
#include <cstdint>
#include <limits>

namespace db {

struct Position {
    std::uint64_t value = 0;
    auto operator<=>(const Position&) const = default;
};

constexpr Position anything{};                                         // a replica as it is
constexpr Position newest{std::numeric_limits<std::uint64_t>::max()};  // the primary

// PostgreSQL says where the next change will begin. On a new page that is behind the head of the page, to which nothing
// that was written before can ever come.
constexpr Position end_of_last_change(std::int64_t next) {
    constexpr std::uint64_t page = 8192, head = 24, head_of_file = 40;
    const auto value = static_cast<std::uint64_t>(next);
    const auto place = value % page;
    return {place == head || place == head_of_file ? value - place : value};
}

}  // namespace db
