// SPDX-License-Identifier: AGPL-3.0-or-later
// Who the client is when proxies stand in between: X-Forwarded-For is read from its right end, and a hop is
// believed only when the one who reported it is trusted.
#pragma once
#include "http/message.hpp"

#include <array>
#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace net {

// IPv4 is kept mapped into IPv6, so that 127.0.0.1 and ::ffff:127.0.0.1 are the same.
class Address {
public:
    // 192.0.2.1, 2001:db8::1, [2001:db8::1], each with or without a port.
    static std::optional<Address> parse(std::string_view);

    std::string to_string() const;
    bool in(const Address& network, unsigned bits) const;
    bool is_v4() const;
    // What counts as one client: IPv4 as it is, of IPv6 the /64, which its holder may fill as he likes.
    Address network() const;
    friend auto operator<=>(const Address&, const Address&) = default;

private:
    std::array<unsigned char, 16> bytes_{};
};

struct Client {
    std::optional<Address> told;  // none: the peer itself
    bool secure = false;
};

class NetworkSet {
public:
    explicit NetworkSet(const std::vector<std::string>& networks);  // CIDR; throws std::invalid_argument

    bool contains(const Address&) const;
    // What the headers say of the client behind a peer who is trusted.
    Client client_behind(bool secure, const http::Headers&) const;

private:
    struct Network {
        Address address;
        unsigned bits;
    };
    std::vector<Network> networks_;
};

}  // namespace net
