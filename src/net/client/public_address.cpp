// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/client/public_address.hpp"

namespace net {

namespace {

// IANA's special-purpose registries; ::/96 contains the IPv4-compatible addresses, :: and ::1.
const std::vector<std::string> special_v4{
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "192.175.48.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4"
};
const std::vector<std::string> special_v6{
    "::/96",
    "64:ff9b::/96",
    "64:ff9b:1::/48",
    "100::/64",
    "2001::/23",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
    "5f00::/16",
    "fc00::/7",
    "fe80::/10",
    "fec0::/10",
    "ff00::/8",
    "::ffff:0:0:0/96"
};

}  // namespace

bool is_public(const Address& address) {
    static const NetworkSet v4(special_v4), v6(special_v6);
    // A mapped address is stored as the IPv4 address it contains.
    return !(address.is_v4() ? v4 : v6).contains(address);
}

}  // namespace net
