// SPDX-License-Identifier: AGPL-3.0-or-later
// The supervisor of this process: systemd or a compatible one. It passes sockets that already listen
// (sd_listen_fds(3)), is told the server's state (sd_notify(3)), and kills a server that has been silent for
// too long.
#pragma once
#include "net/server.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace net {

class Supervisor {
public:
    // Reads the environment and removes the variables, which do not apply to child processes. Throws
    // std::runtime_error with a sentence for sockets that cannot be served.
    static Supervisor of_environment();

    bool hears() const { return !address_.empty(); }
    // Lines of NAME=VALUE. A message that cannot be sent within a second is lost.
    void say(std::string_view state) const { send(state, 0); }
    // For unimportant messages: does not block.
    void mention(std::string_view state) const;
    // The longest silence it tolerates; 0: no limit.
    std::chrono::microseconds watchdog() const { return watchdog_; }
    const std::vector<Endpoint>& sockets() const { return sockets_; }

private:
    void send(std::string_view state, int flags) const;

    std::string address_;  // a path, or an abstract name after @
    std::chrono::microseconds watchdog_{0};
    std::vector<Endpoint> sockets_;
};

// While it lives, the supervisor is asked to keep waiting for a slow start.
class StillStarting {
public:
    explicit StillStarting(const Supervisor&, std::chrono::milliseconds every = std::chrono::seconds(10));

private:
    std::jthread thread_;
};

}  // namespace net
