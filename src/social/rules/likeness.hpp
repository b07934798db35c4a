// SPDX-License-Identifier: AGPL-3.0-or-later
// Whether two posts say nearly the same. Of what one says only a few numbers are kept: the smallest hashes of its pairs of words,
// which two texts share as often as they share pairs (MinHash, bottom-k). Nothing can be read from them.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rules {

struct Sketch {
    std::array<std::uint32_t, 8> parts{};  // the smallest ones, in order; 0: no more
    bool empty() const { return parts[0] == 0; }
    friend bool operator==(const Sketch&, const Sketch&) = default;
};

// Case, accents, hidden signs and letters that look like Latin ones make no difference, nor do names, hashtags and addresses.
// Empty for fewer words than tell anything.
constexpr std::size_t fewest_words = 5;
Sketch sketch(std::string_view text);

// About half of the pairs of words are the same.
bool near(const Sketch&, const Sketch&);

}  // namespace rules
