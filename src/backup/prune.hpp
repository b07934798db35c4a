// SPDX-License-Identifier: AGPL-3.0-or-later
// Which whole copies stay: "2d all, 30d daily, 1y monthly".
#pragma once
#include "backup/media_copies.hpp"

#include <set>

namespace backup {

struct KeepRule {
    std::int64_t age_ms = 0;     // of those younger than this …
    std::int64_t one_of_ms = 0;  // … one in so much time; 0: all, with every point in time between them
};

// Nothing when it is not understood.
std::optional<std::vector<KeepRule>> parse_keep(std::string_view);

// A whole copy and the last moment to which its log reaches.
struct Span {
    std::int64_t from = 0, to = 0;
};

// Those that stay. The latest always does, and so does one whose log reaches into the time of which every point is kept.
std::set<std::int64_t> kept(const std::vector<Span>&, const std::vector<KeepRule>&, std::int64_t now);

struct Pruned {
    std::int64_t bases = 0, blocks = 0, media = 0;
    std::uint64_t bytes = 0;
};
// Throws Away and Broken: nothing is removed unless all that is to stay can be read.
Pruned prune(const Archive&, const std::vector<KeepRule>&, std::int64_t now);

}  // namespace backup
