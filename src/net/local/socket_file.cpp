// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/local/socket_file.hpp"

#include "net/local/socket_place.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <stdexcept>

namespace net {

namespace fs = std::filesystem;

namespace {

constexpr mode_t owner_and_group = 0660;

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
    throw std::runtime_error("listen: unix:" + path.string() + " " + why);
}

[[noreturn]] void fail(const fs::path& path) {
    const std::string cause = std::strerror(errno);
    refuse(
        path,
        "cannot be made (" + cause +
            "); make its folder and give it to the user of the server, or name another path"
    );
}

Fd new_socket() { return Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)); }

// Only a socket that nobody listens on any more may be replaced.
void look_who_is_there(const fs::path& path) {
    struct stat there{};
    if (::lstat(path.c_str(), &there) != 0) return;
    if (!S_ISSOCK(there.st_mode))
        refuse(path, "is there already and no socket; remove it, or name another path");
    // A full backlog also means that somebody is listening.
    if (SocketPlace(path).connect(new_socket()) || errno == EAGAIN)
        refuse(path, "is served by another process; end that one, or name another path");
    if (errno != ECONNREFUSED && errno != ENOENT) fail(path);
}

}  // namespace

SocketFile::SocketFile(fs::path path) : path_(std::move(path)), socket_(new_socket()) {
    look_who_is_there(path_);
    const auto made =
        path_.parent_path() / ("." + path_.filename().string() + "." + std::to_string(::getpid()));
    ::unlink(made.c_str());
    if (!SocketPlace(made).bind(socket_)) fail(path_);
    struct stat facts{};
    const bool placed = ::chmod(made.c_str(), owner_and_group) == 0 &&
                        ::listen(socket_.get(), SOMAXCONN) == 0 && ::lstat(made.c_str(), &facts) == 0 &&
                        ::rename(made.c_str(), path_.c_str()) == 0;
    if (!placed) {
        const int cause = errno;
        ::unlink(made.c_str());
        errno = cause;
        fail(path_);
    }
    device_ = facts.st_dev;
    number_ = facts.st_ino;
}

// Removes the file, unless another process has put its own there meanwhile.
SocketFile::~SocketFile() {
    struct stat there{};
    if (::lstat(path_.c_str(), &there) == 0 && there.st_dev == device_ && there.st_ino == number_)
        ::unlink(path_.c_str());
}

int SocketFile::release() { return socket_.release(); }

}  // namespace net
