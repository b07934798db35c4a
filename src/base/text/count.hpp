// SPDX-License-Identifier: AGPL-3.0-or-later
// Lengths as users see them: extended grapheme clusters (UAX 29 of Unicode 15.0, so without the later Indic
// rule GB9c), and the length of a post, in which a link counts 23 and a remote mention without its domain.
// Absurdly long clusters, links and domains count more, so that a limit on the length also limits the bytes.
#pragma once
#include <span>
#include <string_view>

#include "base/text/scan.hpp"

namespace base::text {

constexpr std::size_t characters_per_url = 23;
// A cluster counts once per this many code points. UAX 15 limits the marks on one letter to 30.
constexpr std::size_t most_in_cluster = 32;

std::size_t graphemes(std::string_view text);
std::size_t code_points(std::string_view utf8);

std::size_t status_length(std::string_view text);
std::size_t status_length(std::string_view text, std::span<const Entity> entities);  // entities: scan(text)

// The longest prefix of `text` with at most `limit` clusters.
std::string_view first_graphemes(std::string_view text, std::size_t limit);

}  // namespace base::text
