// SPDX-License-Identifier: AGPL-3.0-or-later
// Similarity of posts by MinHash (bottom-k): of each text only the smallest hashes of its word pairs are
// kept, which two texts share as often as they share pairs. The text cannot be recovered from them.
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

// Ignores case, accents, hidden characters, letters that look like Latin ones, names, hashtags and URLs.
// Empty for texts of fewer words.
constexpr std::size_t fewest_words = 5;
Sketch sketch(std::string_view text);

// Whether about half of the word pairs are the same.
bool near(const Sketch&, const Sketch&);

}  // namespace rules
