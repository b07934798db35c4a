// SPDX-License-Identifier: AGPL-3.0-or-later
// Networks of IP addresses, in a form that is compared and sorted as text: 32 hexadecimal digits; IPv4 is
// mapped into IPv6.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace base {

struct Network {
    std::string first, last;  // the lowest and the highest address, 32 digits each
    std::string text;         // "192.0.2.0/24": host bits cleared, always with the prefix length

    bool holds(std::string_view digits) const { return first <= digits && digits <= last; }
    friend bool operator==(const Network&, const Network&) = default;
};

// Accepts 192.0.2.77/24, 2001:db8::/32, or a single address.
std::optional<Network> parse_network(std::string_view);
// The digits of one address, which may be in brackets; empty if it is not an address.
std::string address_digits(std::string_view);

}  // namespace base
