// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>

namespace net {

// How long the next bytes of something may take that should move steadily: no longer silence than `pause`, after
// `grace` a rate on average, and in all no more than `most`, so that no trickle goes on for ever.
struct Patience {
    using Milliseconds = std::chrono::milliseconds;

    Milliseconds pause, grace, most;
    std::uint64_t bytes_per_second;

    Milliseconds left(Milliseconds spent, std::uint64_t moved) const {
        const auto earned = Milliseconds(moved * 1000 / std::max<std::uint64_t>(1, bytes_per_second));
        return std::min(pause, std::min(grace + earned, most) - spent);
    }
};

}  // namespace net
