// SPDX-License-Identifier: AGPL-3.0-or-later
// Who started this process and watches it, where that is systemd or speaks as it does: hands over sockets that listen already
// (sd_listen_fds(3)), hears how the server does, and ends what has not been heard of for too long (sd_notify(3)).
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
    // As the environment names it, which forgets it: who is started later is not meant. Throws std::runtime_error with a
    // sentence for sockets that cannot be served.
    static Supervisor of_environment();

    bool hears() const { return !address_.empty(); }
    // Lines of NAME=VALUE. What cannot be said within a second is lost.
    void say(std::string_view state) const { send(state, 0); }
    // What need not be heard: waits for nobody.
    void mention(std::string_view state) const;
    // The longest silence that it bears; 0: any.
    std::chrono::microseconds watchdog() const { return watchdog_; }
    const std::vector<Endpoint>& sockets() const { return sockets_; }

private:
    void send(std::string_view state, int flags) const;

    std::string address_;  // a path, or a name in the abstract room behind @
    std::chrono::microseconds watchdog_{0};
    std::vector<Endpoint> sockets_;
};

// While one lives, a start that takes long is not given up.
class StillStarting {
public:
    explicit StillStarting(const Supervisor&, std::chrono::milliseconds every = std::chrono::seconds(10));

private:
    std::jthread thread_;
};

}  // namespace net
