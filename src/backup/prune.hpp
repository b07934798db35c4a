// SPDX-License-Identifier: AGPL-3.0-or-later
// Retention rules for full copies: "2d all, 30d daily, 1y monthly".
#pragma once
#include "backup/media_copies.hpp"

#include <set>

namespace backup {

struct KeepRule {
    std::int64_t age_ms = 0;     // copies younger than this …
    std::int64_t one_of_ms = 0;  // … one per this period is kept; 0: all, with every point in time between
};

// Returns nullopt if it cannot be parsed.
std::optional<std::vector<KeepRule>> parse_keep(std::string_view);

// A full copy and the last time that its log reaches.
struct Span {
    std::int64_t from = 0, to = 0;
};

// The copies to keep: always the latest, and any whose log reaches into the period of which every point in
// time is kept.
std::set<std::int64_t> kept(const std::vector<Span>&, const std::vector<KeepRule>&, std::int64_t now);

struct Pruned {
    std::int64_t bases = 0, blocks = 0, media = 0;
    std::uint64_t bytes = 0;
};
// Throws Away and Broken: nothing is removed unless everything to be kept is readable.
Pruned prune(const Archive&, const std::vector<KeepRule>&, std::int64_t now);

}  // namespace backup
