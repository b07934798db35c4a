// SPDX-License-Identifier: AGPL-3.0-or-later
// A UNIX socket that listens for a proxy on this machine (`listen = "unix:/run/dunlin/http.sock"`).
#pragma once
#include "net/fd.hpp"

#include <sys/types.h>

#include <filesystem>

namespace net {

// What a path may be for others to find the way: struct sockaddr_un has no room for more.
constexpr std::size_t longest_socket_path = 107;

// Listens at the path from the first moment that something is there. Its owner and its group are let in; what a process that
// ended has left there is replaced. The file goes with this.
class SocketFile {
public:
    explicit SocketFile(std::filesystem::path);  // throws std::runtime_error with a sentence
    SocketFile(const SocketFile&) = delete;
    ~SocketFile();

    int release();  // who takes the socket closes it

private:
    const std::filesystem::path path_;
    Fd socket_;
    dev_t device_ = 0;
    ino_t number_ = 0;
};

}  // namespace net
