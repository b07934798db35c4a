// SPDX-License-Identifier: AGPL-3.0-or-later
// OAuth scopes: their names, and which one includes which (behaviours: section 5).
#pragma once
#include <bitset>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace http {

using Scopes = std::bitset<64>;

// All names, in display order.
const std::vector<std::string_view>& scope_words();

// Parses a space-separated list; nullopt if a name is unknown.
std::optional<Scopes> parse_scopes(std::string_view text);
std::string to_string(const Scopes&);

// The scopes of which any one opens a route that requires `required` ("read:lists" or
// "follow|write:follows"): each alternative and its parent.
Scopes accepted_scopes(std::string_view required);

}  // namespace http
