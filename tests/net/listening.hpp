// SPDX-License-Identifier: AGPL-3.0-or-later
// Who hands over a socket and hears what is said: as systemd does.
#pragma once
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "net/fd.hpp"

namespace net_test {

// A socket of TCP on loopback; whether it listens, the test says.
struct Port {
    explicit Port(bool listens = true) : socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in at{};
        at.sin_family = AF_INET;
        at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof at;
        auto* address = reinterpret_cast<sockaddr*>(&at);
        if (::bind(socket.get(), address, size) != 0 || (listens && ::listen(socket.get(), 64) != 0))
            throw std::runtime_error("no port for a test");
        ::getsockname(socket.get(), address, &size);
        number = ntohs(at.sin_port);
    }

    net::Fd socket;
    std::uint16_t number = 0;
};

// Hears sd_notify at `path`.
struct Ear {
    explicit Ear(std::string at)
        : path(std::move(at)), socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
        sockaddr_un here{};
        here.sun_family = AF_UNIX;
        path.copy(here.sun_path, sizeof here.sun_path - 1);
        if (::bind(socket.get(), reinterpret_cast<sockaddr*>(&here), sizeof here) != 0)
            throw std::runtime_error("no socket for a test");
    }
    ~Ear() { std::filesystem::remove(path); }

    // Everything that has been said, a message a line; waits until one holds `wanted`.
    bool hears(const std::string& wanted, int patience_ms = 20'000) {
        while (heard.find(wanted) == heard.npos) {
            pollfd watched{socket.get(), POLLIN, 0};
            if (::poll(&watched, 1, patience_ms) <= 0) return false;
            char message[4096];
            const auto size = ::recv(socket.get(), message, sizeof message, 0);
            heard.append(message, static_cast<std::size_t>(std::max<ssize_t>(0, size))).append("\n");
        }
        return true;
    }

    const std::string path;
    net::Fd socket;
    std::string heard;
};

}  // namespace net_test
