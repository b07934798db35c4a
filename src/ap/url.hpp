// SPDX-License-Identifier: AGPL-3.0-or-later
// URLs written by other servers. The only place that decides whether two of them belong to one server.
#pragma once
#include <string>
#include <string_view>

namespace ap {

constexpr std::size_t longest_url = 2048;

// The host and, unless it is the default, the port, normalised: lower case, ASCII, without a trailing dot.
// Empty for anything but an http(s) URL with a valid host, and for URLs with a user name.
std::string host_of(std::string_view url);

// Both have a host, and it is the same one.
bool same_host(std::string_view a, std::string_view b);

// http(s) with a host, not too long, without blanks, control characters and a user name: usable as an id.
bool is_web_url(std::string_view url);

// A URL to fetch or to show: trimmed, blanks and non-ASCII characters percent-encoded, the host in ASCII.
// Empty when it is invalid.
std::string web_url(std::string_view text);

std::string_view without_fragment(std::string_view url);

// The URL in a bearer capability ("bear:?t=…&u=…"); anything else unchanged.
std::string without_bearer(std::string_view id);

}  // namespace ap
