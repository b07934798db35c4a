// SPDX-License-Identifier: AGPL-3.0-or-later
// Work by the clock that prepares its change on a reader, done as the runner does it.
#pragma once
#include "world.hpp"

namespace support {

// Answers whether it changed anything.
template <class F>
bool run_periodic(World& w, F prepare) {
    auto change = w.read(prepare);
    if (change) w.write(change);
    return static_cast<bool>(change);
}

}  // namespace support
