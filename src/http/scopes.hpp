// SPDX-License-Identifier: AGPL-3.0-or-later
// OAuth scopes: the words, and which covers which (behaviours: section 5).
#pragma once
#include <bitset>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace http {

using Scopes = std::bitset<64>;

// All words, in the order they are shown in.
const std::vector<std::string_view>& scope_words();

// The bits of a space-separated list; nothing when a word is unknown.
std::optional<Scopes> parse_scopes(std::string_view text);
std::string to_string(const Scopes&);

// The words of which any one opens a route declared with `required` ("read:lists" or "follow|write:follows"): each
// alternative and its parent.
Scopes accepted_scopes(std::string_view required);

}  // namespace http
