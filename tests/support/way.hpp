// SPDX-License-Identifier: AGPL-3.0-or-later
// A proxy to PostgreSQL that can start dropping everything while connections stay open.
#pragma once
#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace support {

class Way {
public:
    explicit Way(const std::string& socket_path)
        : path_(socket_path), listener_(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        bind(listener_, reinterpret_cast<sockaddr*>(&address), size);
        listen(listener_, 64);
        getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
        port = ntohs(address.sin_port);
        thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    }
    ~Way() {
        thread_.request_stop();
        thread_.join();
        close(listener_);
        for (auto [here, there] : pairs_) close(here), close(there);
    }

    int port = 0;
    std::atomic<bool> silent = false;
    std::atomic<int> accepted = 0;

private:
    void run(const std::stop_token& stop) {
        using namespace std::chrono_literals;
        while (!stop.stop_requested()) {
            if (silent) {
                std::this_thread::sleep_for(5ms);
                continue;
            }
            std::vector<pollfd> all{{listener_, POLLIN, 0}};
            for (auto [here, there] : pairs_) all.insert(all.end(), {{here, POLLIN, 0}, {there, POLLIN, 0}});
            poll(all.data(), all.size(), 5);
            for (std::size_t i = 1; i < all.size() && !silent; ++i)
                if (all[i].revents != 0) pass_on(all[i].fd, all[i % 2 == 1 ? i + 1 : i - 1].fd);
            if (all[0].revents != 0) accept_one();
        }
    }
    void accept_one() {
        ++accepted;
        const int here = accept(listener_, nullptr, nullptr), there = socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path_.copy(address.sun_path, sizeof address.sun_path - 1);
        connect(there, reinterpret_cast<sockaddr*>(&address), sizeof address);
        pairs_.emplace_back(here, there);
    }
    void pass_on(int from, int to) {
        char bytes[4096];
        const auto got = recv(from, bytes, sizeof bytes, MSG_DONTWAIT);
        if (got > 0) send(to, bytes, static_cast<std::size_t>(got), MSG_NOSIGNAL);
        else if (got == 0) std::erase_if(pairs_, [&](auto pair) { return ends(pair, from); });
    }
    static bool ends(std::pair<int, int> pair, int fd) {
        if (pair.first != fd && pair.second != fd) return false;
        close(pair.first);
        close(pair.second);
        return true;
    }

    std::string path_;
    int listener_;
    std::vector<std::pair<int, int>> pairs_;
    std::jthread thread_;
};

}  // namespace support
