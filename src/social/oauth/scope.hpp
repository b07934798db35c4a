// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists of scopes as people and apps write them; which covers which is http/scopes.hpp.
#pragma once
#include "http/scopes.hpp"

#include <string>
#include <vector>

namespace oauth {

// Known words, once each, in the order given, with single spaces; `read` when there is none. Nothing when a word
// is unknown.
std::optional<std::string> normal_scopes(std::string_view text);
std::vector<std::string> words_of(std::string_view scopes);
// Literally: a granular scope of a parent that is there does not count (behaviours: 4.3).
bool includes(std::string_view scopes, std::string_view wanted);
// What the scope allows, as a consent page says it.
std::string meaning(std::string_view word);

}  // namespace oauth
