// SPDX-License-Identifier: AGPL-3.0-or-later
// How commands talk to the servers that use the same data folder: a Unix socket in it, accessible to its
// owner only. A line is a question; the answer ends with the connection (docs/decisions/0020).
#pragma once
#include "net/fd.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace net {

class ControlSocket {
public:
    // Called on a separate thread, one question at a time.
    using Answer = std::function<std::string(std::string_view question)>;

    // Throws std::system_error if the socket cannot be created.
    ControlSocket(const std::filesystem::path& folder, Answer);
    ~ControlSocket();

private:
    void serve() const;
    void talk(const Fd& client) const;

    const std::filesystem::path path_;
    const Answer answer_;
    Fd listening_, ended_;
    std::thread thread_;
};

// The answer of each server. Removes sockets that killed servers left behind.
std::vector<std::string> ask_servers(const std::filesystem::path& folder, std::string_view question);

}  // namespace net
