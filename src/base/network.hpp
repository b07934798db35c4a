// SPDX-License-Identifier: AGPL-3.0-or-later
// Networks of IP addresses as people write them, in a form that is compared and sorted as text: 32 hexadecimal digits, of
// IPv4 as it is mapped into IPv6.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace base {

struct Network {
    std::string first, last;  // the addresses at both ends, as 32 digits each
    std::string text;         // "192.0.2.0/24": what hosts add is gone; always with the length

    bool holds(std::string_view digits) const { return first <= digits && digits <= last; }
    friend bool operator==(const Network&, const Network&) = default;
};

// 192.0.2.77/24, 2001:db8::/32, or one address.
std::optional<Network> parse_network(std::string_view);
// Of one address, which may stand in brackets; empty for what is none.
std::string address_digits(std::string_view);

}  // namespace base
