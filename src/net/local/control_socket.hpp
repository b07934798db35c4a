// SPDX-License-Identifier: AGPL-3.0-or-later
// How commands ask the servers that run on the same data folder: a Unix socket there, for its owner only, where one line
// asks and the answer ends with the connection (docs/decisions/0020).
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
    // Called on a thread of its own, one question at a time.
    using Answer = std::function<std::string(std::string_view question)>;

    // Throws std::system_error when there can be no socket.
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

// What each server says; of those that were killed only the sockets are left, which go.
std::vector<std::string> ask_servers(const std::filesystem::path& folder, std::string_view question);

}  // namespace net
