// SPDX-License-Identifier: AGPL-3.0-or-later
// The only clock that sessions see outside of tests.
#pragma once
#include "base/time.hpp"

#include <chrono>

namespace server {

inline base::Time clock_now() {
    using namespace std::chrono;
    return {duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count()};
}

}  // namespace server
