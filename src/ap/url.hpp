// SPDX-License-Identifier: AGPL-3.0-or-later
// Addresses that other servers write. Whether two of them belong to one server is decided here and nowhere else.
#pragma once
#include <string>
#include <string_view>

namespace ap {

constexpr std::size_t longest_url = 2048;

// The host and, unless it is the scheme's own, the port, in one spelling: lower case, ASCII, without a dot at the end.
// Empty for what is no http(s) URL with a host, has a user name in it, or cannot be a host at all.
std::string host_of(std::string_view url);

// Both have a host, and it is the same one.
bool same_host(std::string_view a, std::string_view b);

// http(s) with a host, not too long, without blanks, control characters and a user name: fit to be an id.
bool is_web_url(std::string_view url);

// An address to fetch or to show: outer blanks go, inner ones and characters of other scripts are percent-encoded,
// the host becomes ASCII. Empty when it is none.
std::string web_url(std::string_view text);

std::string_view without_fragment(std::string_view url);

// Of a bearer capability ("bear:?t=…&u=…") the URL; anything else as it is.
std::string without_bearer(std::string_view id);

}  // namespace ap
