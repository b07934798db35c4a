// SPDX-License-Identifier: AGPL-3.0-or-later
// Diagnostics of a connection step by step: what DNS returns, which addresses accept connections, which
// certificate is presented. Blocks for a limited time.
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
    std::vector<std::string> addresses;  // from DNS
    std::vector<std::string> silent;     // those that did not accept a connection
    std::vector<std::string> beyond;     // those without a route from this machine, such as IPv6
};
Reached reach(const std::string& host, std::uint16_t port, std::chrono::milliseconds patience);

// Why listening there is not possible now: the system's error, or a sentence. Tries it and stops listening
// again.
std::optional<std::string> obstacle_to_listening(const Endpoint&);

struct ShownCertificate {
    std::string failure;  // why it is not trusted, in the words of the TLS library
    std::string pem;      // the server's own certificate; empty after a failure
};
ShownCertificate shown_certificate(
    const std::string& host, std::uint16_t port, const std::string& extra_ca_file,
    std::chrono::milliseconds patience
);

}  // namespace net
