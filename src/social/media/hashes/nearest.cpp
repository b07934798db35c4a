// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/hashes/hash_list.hpp"

#include <algorithm>

namespace media {

namespace {

// Half of the bits almost always exclude a match, so the branch is predicted well.
#define LOOK_THROUGH(all, pdq, best)                                                                      \
    for (const auto& one : all)                                                                           \
        for (const auto& bits : (pdq).bits) {                                                             \
            int differ = __builtin_popcountll(one[0] ^ bits[0]) + __builtin_popcountll(one[1] ^ bits[1]); \
            if (differ >= (best)) continue;                                                               \
            differ += __builtin_popcountll(one[2] ^ bits[2]) + __builtin_popcountll(one[3] ^ bits[3]);    \
            (best) = std::min(best, differ);                                                              \
        }

// Returns `best`, or a smaller distance.
int look_through(const std::vector<sandbox::PdqBits>& all, const sandbox::Pdq& pdq, int best) {
    LOOK_THROUGH(all, pdq, best)
    return best;
}

#ifdef __x86_64__
// Not every processor has a popcnt instruction; with it, this takes a quarter of the time.
[[gnu::target("popcnt")]] int look_through_quickly(
    const std::vector<sandbox::PdqBits>& all, const sandbox::Pdq& pdq, int best
) {
    LOOK_THROUGH(all, pdq, best)
    return best;
}
const bool counts_bits = __builtin_cpu_supports("popcnt") != 0;
#endif

}  // namespace

std::optional<int> nearest(const std::vector<sandbox::PdqBits>& all, const sandbox::Pdq& pdq, int distance) {
#ifdef __x86_64__
    const int best =
        counts_bits ? look_through_quickly(all, pdq, distance + 1) : look_through(all, pdq, distance + 1);
#else
    const int best = look_through(all, pdq, distance + 1);
#endif
    return best <= distance ? std::optional(best) : std::nullopt;
}

}  // namespace media
