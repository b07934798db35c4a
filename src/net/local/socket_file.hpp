// SPDX-License-Identifier: AGPL-3.0-or-later
// A UNIX socket that listens for a proxy on this machine (`listen = "unix:/run/dunlin/http.sock"`).
#pragma once
#include "net/fd.hpp"

#include <sys/types.h>

#include <filesystem>

namespace net {

// The longest path that struct sockaddr_un can hold.
constexpr std::size_t longest_socket_path = 107;

// Created under a temporary name and renamed once it listens, so that nobody finds a socket that does not.
// Accessible to its owner and group; replaces what a dead process left. The destructor removes the file.
class SocketFile {
public:
    explicit SocketFile(std::filesystem::path);  // throws std::runtime_error with a sentence
    SocketFile(const SocketFile&) = delete;
    ~SocketFile();

    int release();  // the caller must close it

private:
    const std::filesystem::path path_;
    Fd socket_;
    dev_t device_ = 0;
    ino_t number_ = 0;
};

}  // namespace net
