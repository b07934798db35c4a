// SPDX-License-Identifier: AGPL-3.0-or-later
// What stands between a name and an answer, for whoever looks for a fault: what DNS says, which addresses take connections,
// which certificate is shown. Blocks, but never for longer than it may.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "net/server.hpp"

namespace net {

struct Reached {
    std::string failure;                 // why there is no address
    std::vector<std::string> addresses;  // that DNS knows
    std::vector<std::string> silent;     // of those, with which no connection came about
    std::vector<std::string> beyond;     // to which this machine has no way, such as those of IPv6
};
Reached reach(const std::string& host, std::uint16_t port, std::chrono::milliseconds patience);

// Why nobody can listen there now: the reason of the system, or a sentence. Tried, and given up again.
std::optional<std::string> obstacle_to_listening(const Endpoint&);

struct ShownCertificate {
    std::string failure;  // why it cannot be trusted, as the TLS library says it
    std::string pem;      // of the server's own; empty after a failure
};
ShownCertificate shown_certificate(
    const std::string& host, std::uint16_t port, const std::string& extra_ca_file,
    std::chrono::milliseconds patience
);

}  // namespace net
