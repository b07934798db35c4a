// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>

namespace net {

// How long to wait for the next bytes of a transfer: at most `pause`; after `grace` it must reach a minimum
// average rate; and it may take at most `most` in all, so that no trickle lasts for ever.
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
