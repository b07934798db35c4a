// SPDX-License-Identifier: AGPL-3.0-or-later
// The address of a UNIX socket, from the path of its file.
#pragma once
#include "net/fd.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <filesystem>
#include <string>

namespace net {

// Socket addresses are short, so the folder is referred to by a descriptor.
class SocketPlace {
public:
    explicit SocketPlace(const std::filesystem::path& path)
        : folder_(::open(path.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
        const auto name = "/proc/self/fd/" + std::to_string(folder_.get()) + "/" + path.filename().string();
        address_.sun_family = AF_UNIX;
        if (name.size() < sizeof address_.sun_path)
            std::memcpy(address_.sun_path, name.c_str(), name.size() + 1);
    }

    bool bind(const Fd& socket) const { return ::bind(socket.get(), address(), sizeof address_) == 0; }
    bool connect(const Fd& socket) const { return ::connect(socket.get(), address(), sizeof address_) == 0; }

private:
    const sockaddr* address() const { return reinterpret_cast<const sockaddr*>(&address_); }

    Fd folder_;
    sockaddr_un address_{};
};

}  // namespace net
