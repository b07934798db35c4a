// SPDX-License-Identifier: AGPL-3.0-or-later
// When a job that failed is tried again: a table and one pure function.
#pragma once
#include <cstdint>
#include <iterator>
#include <optional>

namespace jobs {

constexpr std::int64_t retry_seconds[] = {1, 15, 60, 300, 1800, 7200, 21'600, 43'200, 86'400, 86'400, 86'400};

// Seconds to wait after the n-th failure (n from 1), or nothing when it is given up. `random` in [0, 1) spreads
// retries over a quarter of the delay, so that what failed together does not return together.
constexpr std::optional<std::int64_t> retry_after(std::int64_t failures, double random) {
    if (failures < 1 || failures > static_cast<std::int64_t>(std::size(retry_seconds))) return std::nullopt;
    auto delay = retry_seconds[failures - 1];
    return delay + static_cast<std::int64_t>(static_cast<double>(delay) * random / 4);
}

}  // namespace jobs
