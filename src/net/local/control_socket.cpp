// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/local/control_socket.hpp"

#include "net/local/socket_place.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <array>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

namespace net {

namespace {

constexpr std::string_view prefix = "control-";
constexpr std::size_t most_of_question = 200;
constexpr int patience_s = 5;

[[noreturn]] void fail(const std::string& what) {
    throw std::system_error(errno, std::generic_category(), what);
}

Fd new_socket() { return Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)); }

void be_patient(const Fd& socket) {
    const timeval most{.tv_sec = patience_s, .tv_usec = 0};
    ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
}

bool send_all(const Fd& socket, std::string_view text) {
    while (!text.empty()) {
        const auto sent = ::send(socket.get(), text.data(), text.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

// Reads until the other side closes, or what has arrived is `enough`.
bool receive(const Fd& socket, std::string& out, const std::function<bool()>& enough) {
    std::array<char, 16384> some;
    while (!enough()) {
        const auto size = ::recv(socket.get(), some.data(), some.size(), 0);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) return false;
        if (size == 0) return true;
        out.append(some.data(), static_cast<std::size_t>(size));
    }
    return true;
}

// Returns nullopt when no server listens there.
std::optional<std::string> ask(const std::filesystem::path& path, std::string_view question) {
    const auto socket = new_socket();
    be_patient(socket);
    if (!SocketPlace(path).connect(socket)) {
        if (errno == ECONNREFUSED) {
            std::error_code ignored;
            std::filesystem::remove(path, ignored);
        }
        return std::nullopt;
    }
    std::string answer;
    // A server is there, whether it answers in time or not.
    if (!send_all(socket, std::string(question) + "\n")) return std::string();
    if (!receive(socket, answer, [] { return false; })) return std::string();
    return answer;
}

}  // namespace

std::vector<std::string> ask_servers(const std::filesystem::path& folder, std::string_view question) {
    std::vector<std::string> answers;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
        if (!entry.path().filename().string().starts_with(prefix)) continue;
        if (auto answer = ask(entry.path(), question)) answers.push_back(*std::move(answer));
    }
    return answers;
}

ControlSocket::ControlSocket(const std::filesystem::path& folder, Answer answer)
    : path_(folder / (std::string(prefix) + std::to_string(::getpid()))),
      answer_(std::move(answer)),
      listening_(new_socket()),
      ended_(::eventfd(0, EFD_CLOEXEC)) {
    ask_servers(folder, "");  // removes the sockets of killed servers
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
    if (!SocketPlace(path_).bind(listening_) || ::listen(listening_.get(), 8) != 0) fail(path_.string());
    std::filesystem::permissions(
        path_, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write
    );
    thread_ = std::thread([this] { serve(); });
}

ControlSocket::~ControlSocket() {
    ::eventfd_write(ended_.get(), 1);
    thread_.join();
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
}

void ControlSocket::serve() const {
    for (;;) {
        std::array<pollfd, 2> watched{{{listening_.get(), POLLIN, 0}, {ended_.get(), POLLIN, 0}}};
        if (::poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR) return;
        if (watched[1].revents != 0) return;
        if (watched[0].revents == 0) continue;
        const Fd client(::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (client) talk(client);
    }
}

void ControlSocket::talk(const Fd& client) const {
    be_patient(client);
    std::string question;
    auto whole = [&] { return question.find('\n') != question.npos || question.size() > most_of_question; };
    if (!receive(client, question, whole)) return;
    send_all(client, answer_(std::string_view(question).substr(0, question.find('\n'))));
}

}  // namespace net
