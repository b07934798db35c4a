// SPDX-License-Identifier: AGPL-3.0-or-later
// How far the changes of a database have come, as a position in PostgreSQL's log (LSN): the minimum that a
// read has to see, if a replica may serve it.
#pragma once
#include <compare>
#include <cstdint>
#include <limits>

namespace db {

struct Position {
    std::uint64_t value = 0;
    auto operator<=>(const Position&) const = default;
};

constexpr Position anything{};                                         // a replica in any state
constexpr Position newest{std::numeric_limits<std::uint64_t>::max()};  // the primary

// PostgreSQL reports where the next change will begin. If that is right after the header of a new page, the
// last change ended at the page's start, and a replica that has replayed everything stays there.
constexpr Position end_of_last_change(std::int64_t next) {
    constexpr std::uint64_t page = 8192, head = 24, head_of_file = 40;
    const auto value = static_cast<std::uint64_t>(next);
    const auto place = value % page;
    return {place == head || place == head_of_file ? value - place : value};
}

}  // namespace db
