// SPDX-License-Identifier: AGPL-3.0-or-later
// The client's address behind proxies: X-Forwarded-For is read from its right end, and a hop is believed only
// if whoever reported it is trusted.
#pragma once
#include "http/message.hpp"

#include <array>
#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace net {

// IPv4 is stored mapped into IPv6, so 127.0.0.1 and ::ffff:127.0.0.1 are equal.
class Address {
public:
    // Accepts 192.0.2.1, 2001:db8::1, [2001:db8::1], each with or without a port.
    static std::optional<Address> parse(std::string_view);

    std::string to_string() const;
    bool in(const Address& network, unsigned bits) const;
    bool is_v4() const;
    // What counts as one client: an IPv4 address, or the /64 of an IPv6 address, all of which its holder can
    // use.
    Address network() const;
    friend auto operator<=>(const Address&, const Address&) = default;

private:
    std::array<unsigned char, 16> bytes_{};
};

struct Client {
    std::optional<Address> told;  // none: the peer itself is the client
    bool secure = false;
};

class NetworkSet {
public:
    explicit NetworkSet(const std::vector<std::string>& networks);  // CIDR; throws std::invalid_argument

    bool contains(const Address&) const;
    // The client behind a trusted peer, according to the headers.
    Client client_behind(bool secure, const http::Headers&) const;

private:
    struct Network {
        Address address;
        unsigned bits;
    };
    std::vector<Network> networks_;
};

}  // namespace net
