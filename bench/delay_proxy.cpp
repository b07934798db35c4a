// SPDX-License-Identifier: AGPL-3.0-or-later
// A way to PostgreSQL that is longer than it is: everything that comes is passed on so much later, in both directions. On
// SIGUSR1 it goes silent, as a way does on which packets are lost: connections stay open and nothing comes through; on
// SIGUSR2 it speaks again.
//
// usage: delay_proxy PORT SOCKET_PATH MICROSECONDS
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <string>

namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t silent = 0;

struct Packet {
    Clock::time_point due;
    std::string bytes;
};

// One direction of a connection.
struct Way {
    int from = -1, to = -1;
    std::deque<Packet> under_way;
};

// Both directions, by either descriptor.
struct Pair {
    Way there, back;
    bool closed = false;
    Way& reading(int fd) { return there.from == fd ? there : back; }
};

class Proxy {
public:
    Proxy(int port, std::string path, std::chrono::microseconds delay)
        : path_(std::move(path)),
          delay_(delay),
          epoll_(epoll_create1(0)),
          timer_(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK)) {
        listener_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        const int yes = 1;
        setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
            listen(listener_, 512) != 0) {
            std::perror("delay_proxy");
            std::exit(1);
        }
        watch(listener_);
        watch(timer_);
    }

    [[noreturn]] void run() {
        for (;;) {
            epoll_event events[256];
            const int count = epoll_wait(epoll_, events, 256, silent ? 50 : -1);
            for (int i = 0; i < count; ++i) {
                const int fd = events[i].data.fd;
                if (fd == listener_) accept_all();
                else if (fd == timer_) drain_timer();
                else if (!silent) read_from(fd);
            }
            if (silent) usleep(20'000);
            else pass_on();
        }
    }

private:
    void watch(int fd) const {
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.fd = fd;
        epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event);
    }

    void accept_all() {
        for (int client; (client = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK)) >= 0;) {
            const int yes = 1;
            setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
            const int server = socket(AF_UNIX, SOCK_STREAM, 0);
            sockaddr_un address{};
            address.sun_family = AF_UNIX;
            std::strncpy(address.sun_path, path_.c_str(), sizeof address.sun_path - 1);
            if (connect(server, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
                close(client);
                close(server);
                continue;
            }
            fcntl(server, F_SETFL, O_NONBLOCK);
            auto pair = std::make_shared<Pair>();
            pair->there = {client, server, {}};
            pair->back = {server, client, {}};
            pairs_[client] = pairs_[server] = pair;
            watch(client);
            watch(server);
        }
    }

    void read_from(int fd) {
        const auto found = pairs_.find(fd);
        if (found == pairs_.end()) return;
        auto& way = found->second->reading(fd);
        char buffer[65536];
        const auto got = read(fd, buffer, sizeof buffer);
        if (got < 0 && errno == EAGAIN) return;
        if (got <= 0) epoll_ctl(epoll_, EPOLL_CTL_DEL, fd, nullptr);
        way.under_way.push_back(
            {Clock::now() + delay_, got > 0 ? std::string(buffer, static_cast<std::size_t>(got)) : ""}
        );
        order_.push_back({way.under_way.back().due, found->second, fd});
    }

    void pass_on() {
        while (!order_.empty() && order_.front().due <= Clock::now()) {
            auto [due, pair, fd] = order_.front();
            order_.pop_front();
            if (pair->closed) continue;
            auto& way = pair->reading(fd);
            const auto packet = std::move(way.under_way.front());
            way.under_way.pop_front();
            if (packet.bytes.empty()) {
                end(*pair);
                continue;
            }
            for (std::size_t sent = 0; sent < packet.bytes.size();) {
                const auto put =
                    send(way.to, packet.bytes.data() + sent, packet.bytes.size() - sent, MSG_NOSIGNAL);
                if (put > 0) sent += static_cast<std::size_t>(put);
                else if (errno == EAGAIN) usleep(50);
                else break;
            }
        }
        if (order_.empty()) return;
        const auto at =
            std::chrono::duration_cast<std::chrono::nanoseconds>(order_.front().due.time_since_epoch())
                .count();
        itimerspec when{};
        when.it_value.tv_sec = at / 1'000'000'000;
        when.it_value.tv_nsec = at % 1'000'000'000;
        timerfd_settime(timer_, TFD_TIMER_ABSTIME, &when, nullptr);
    }

    void end(Pair& pair) {
        pair.closed = true;
        for (const int fd : {pair.there.from, pair.back.from})
            if (pairs_.erase(fd) > 0) close(fd);
    }

    void drain_timer() const {
        std::uint64_t ignored = 0;
        if (read(timer_, &ignored, sizeof ignored) < 0) return;
    }

    struct Due {
        Clock::time_point due;
        std::shared_ptr<Pair> pair;
        int fd;
    };
    const std::string path_;
    const std::chrono::microseconds delay_;
    const int epoll_, timer_;
    int listener_ = -1;
    std::map<int, std::shared_ptr<Pair>> pairs_;
    std::deque<Due> order_;  // all wait equally long
};

}  // namespace

int main(int count, char** words) {
    if (count != 4) {
        std::fprintf(stderr, "usage: delay_proxy PORT SOCKET_PATH MICROSECONDS\n");
        return 2;
    }
    std::signal(SIGUSR1, [](int) { silent = 1; });
    std::signal(SIGUSR2, [](int) { silent = 0; });
    Proxy(std::atoi(words[1]), words[2], std::chrono::microseconds(std::atoi(words[3]))).run();
}
