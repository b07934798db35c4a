// SPDX-License-Identifier: AGPL-3.0-or-later
// For the little that the product keeps in memory and several threads touch: a lock, held for a scope, and a count.
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>

namespace base {

using Lock = std::mutex;
using Hold = std::lock_guard<Lock>;
using Count = std::atomic<std::uint64_t>;

}  // namespace base
