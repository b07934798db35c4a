// SPDX-License-Identifier: AGPL-3.0-or-later
// Time-ordered ids: milliseconds << 16 plus a sequence that starts at a random point of each millisecond, so that
// two nodes that write in the same one rarely meet. Strictly growing, also when the clock goes back.
#pragma once
#include "base/time.hpp"

#include <atomic>
#include <cstdint>

namespace db {

class IdSequence {
public:
    std::int64_t next(base::Time now);

private:
    std::atomic<std::int64_t> last_{0};
};

}  // namespace db
