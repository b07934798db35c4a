// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/local/supervisor.hpp"

#include "net/fd.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <charconv>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>

namespace net {

namespace {

constexpr int first_socket = 3;

std::string taken(const char* variable) {
    const char* value = std::getenv(variable);
    std::string out = value ? value : "";
    ::unsetenv(variable);
    return out;
}

// -1: not a number.
long long number(const std::string& text) {
    long long value = -1;
    const auto end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    return read.ec == std::errc{} && read.ptr == end ? value : -1;
}

bool is_meant(const std::string& pid) { return number(pid) == ::getpid(); }

std::vector<std::string> split(const std::string& names) {
    std::vector<std::string> out{""};
    for (char c : names)
        if (c == ':') out.emplace_back();
        else out.back() += c;
    return out;
}

bool listens(int fd) {
    int yes = 0;
    socklen_t size = sizeof yes;
    return ::getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &yes, &size) == 0 && yes != 0;
}

bool read_address(int fd, Endpoint& out) {
    sockaddr_storage there{};
    socklen_t size = sizeof there;
    if (::getsockname(fd, reinterpret_cast<sockaddr*>(&there), &size) != 0) return false;
    char text[INET6_ADDRSTRLEN] = {};
    if (there.ss_family == AF_INET) {
        const auto& in = reinterpret_cast<const sockaddr_in&>(there);
        ::inet_ntop(AF_INET, &in.sin_addr, text, sizeof text);
        out.port = ntohs(in.sin_port);
    } else if (there.ss_family == AF_INET6) {
        const auto& in = reinterpret_cast<const sockaddr_in6&>(there);
        ::inet_ntop(AF_INET6, &in.sin6_addr, text, sizeof text);
        out.port = ntohs(in.sin6_port);
    } else if (there.ss_family == AF_UNIX) {
        const auto& in = reinterpret_cast<const sockaddr_un&>(there);
        out.path = in.sun_path;  // empty if it has an abstract name
        return !out.path.empty();
    } else {
        return false;
    }
    out.address = text;
    return true;
}

Endpoint inherited(int fd, const std::string& name) {
    const auto refuse = [&](const std::string& why) {
        throw std::runtime_error(
            "Socket " + std::to_string(fd) + " (\"" + name + "\"), which was handed over at the start, " + why
        );
    };
    ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    if (name != "http" && name != "https")
        refuse("has a name that says nothing; write FileDescriptorName=http or https in its socket unit");
    if (!listens(fd))
        refuse("does not listen; write ListenStream=ADDR:PORT in its socket unit, and no Accept=yes");
    Endpoint at;
    at.inherited = fd;
    at.tls = name == "https";
    if (!read_address(fd, at))
        refuse("is neither of TCP nor at a path; write ListenStream=ADDR:PORT or a path in its socket unit");
    if (!at.path.empty() && at.tls)
        refuse("is for a proxy, which speaks TLS itself; write FileDescriptorName=http in its socket unit");
    return at;
}

std::vector<Endpoint> inherited_sockets() {
    const auto pid = taken("LISTEN_PID"), count = taken("LISTEN_FDS"), names = taken("LISTEN_FDNAMES");
    std::vector<Endpoint> sockets;
    if (count.empty() || !is_meant(pid)) return sockets;
    constexpr int most = 64;
    const auto many = number(count);
    if (many < 0 || many > most)
        throw std::runtime_error(
            "LISTEN_FDS is \"" + count + "\", which is no number of sockets from 0 to " + std::to_string(most)
        );
    const auto named = split(names);
    for (int i = 0; i < many; ++i) {
        const auto at = static_cast<std::size_t>(i);
        // Without a name, the socket is for plain HTTP, which needs no certificate.
        const auto name = names.empty() ? "http" : at < named.size() ? named[at] : "";
        sockets.push_back(inherited(first_socket + i, name));
    }
    return sockets;
}

std::chrono::microseconds watchdog_of_environment() {
    const auto pid = taken("WATCHDOG_PID"), most = taken("WATCHDOG_USEC");
    if (!pid.empty() && !is_meant(pid)) return {};
    return std::chrono::microseconds(std::max(0LL, number(most)));
}

}  // namespace

Supervisor Supervisor::of_environment() {
    Supervisor supervisor;
    supervisor.address_ = taken("NOTIFY_SOCKET");
    supervisor.watchdog_ = watchdog_of_environment();
    supervisor.sockets_ = inherited_sockets();
    return supervisor;
}

void Supervisor::mention(std::string_view state) const { send(state, MSG_DONTWAIT); }

void Supervisor::send(std::string_view state, int flags) const {
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    if (!hears() || address_.size() >= sizeof to.sun_path) return;
    std::memcpy(to.sun_path, address_.data(), address_.size());
    if (to.sun_path[0] == '@') to.sun_path[0] = '\0';
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address_.size());
    const Fd socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    const timeval most{.tv_sec = 1, .tv_usec = 0};
    ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
    ::sendto(
        socket.get(),
        state.data(),
        state.size(),
        MSG_NOSIGNAL | flags,
        reinterpret_cast<const sockaddr*>(&to),
        size
    );
}

StillStarting::StillStarting(const Supervisor& supervisor, std::chrono::milliseconds every) {
    if (!supervisor.hears()) return;
    thread_ = std::jthread([&supervisor, every](const std::stop_token& ended) {
        const auto more = std::chrono::microseconds(3 * every).count();
        std::mutex mutex;
        std::condition_variable_any wake;
        std::unique_lock lock(mutex);
        while (!ended.stop_requested()) {
            supervisor.say("EXTEND_TIMEOUT_USEC=" + std::to_string(more));
            wake.wait_for(lock, ended, every, [] { return false; });
        }
    });
}

}  // namespace net
