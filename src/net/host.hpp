// SPDX-License-Identifier: AGPL-3.0-or-later
// The two parts of a request that name a host.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace net {

// A name, an IPv4 address or a bracketed IPv6 address, with or without a port. Stricter than RFC 3986, which
// allows nearly anything.
bool is_host(std::string_view);

struct AbsoluteTarget {
    std::string authority, target;
};

// http://host:port/path -> {host:port, /path}; nullopt for any other form.
std::optional<AbsoluteTarget> split_absolute(std::string_view target);

}  // namespace net
