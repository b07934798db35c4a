// SPDX-License-Identifier: AGPL-3.0-or-later
// Runs periodic work that prepares its change on a reader, as the runner does.
#pragma once
#include "world.hpp"

namespace support {

// Returns whether it changed anything.
template <class F>
bool run_periodic(World& w, F prepare) {
    auto change = w.read(prepare);
    if (change) w.write(change);
    return static_cast<bool>(change);
}

}  // namespace support
