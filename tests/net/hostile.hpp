// SPDX-License-Identifier: AGPL-3.0-or-later
// Servers that say what a test has them say, and the client that asks them.
#pragma once
#include "net/client/http_client.hpp"
#include "net/stage.hpp"

#include <atomic>

namespace net_test {

// Takes connections and lets the test talk on each, in a thread of its own.
class Hostile {
public:
    using Talk = std::function<void(int socket, const std::string& request)>;

    explicit Hostile(Talk talk, const char* address = "127.0.0.1")
        : talk_(std::move(talk)), address_(address) {
        sockaddr_in at{};
        at.sin_family = AF_INET;
        ::inet_pton(AF_INET, address, &at.sin_addr);
        socklen_t size = sizeof at;
        ::bind(listener_.get(), reinterpret_cast<sockaddr*>(&at), size);
        ::listen(listener_.get(), 64);
        ::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&at), &size);
        port = ntohs(at.sin_port);
        accepting_ = std::thread([this] { accept(); });
    }
    ~Hostile() {
        ::shutdown(listener_.get(), SHUT_RDWR);
        accepting_.join();
        for (auto& thread : talking_) thread.join();
    }
    std::string url(const std::string& path = "/") const {
        return "http://" + address_ + ":" + std::to_string(port) + path;
    }
    std::uint16_t port = 0;
    std::atomic<int> connections = 0;

private:
    void accept() {
        for (;;) {
            net::Fd client(::accept(listener_.get(), nullptr, nullptr));
            if (!client) return;
            ++connections;
            talking_.emplace_back([this, client = std::make_shared<net::Fd>(std::move(client))] {
                std::string request;
                for (char c; !request.ends_with("\r\n\r\n") && ::recv(client->get(), &c, 1, 0) == 1;)
                    request += c;
                talk_(client->get(), request);
            });
        }
    }

    Talk talk_;
    std::string address_;
    net::Fd listener_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    std::thread accepting_;
    std::vector<std::thread> talking_;
};

inline bool say(int socket, const std::string& text) {
    return ::send(socket, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
}

inline std::string answer(const std::string& body, const std::string& more = "") {
    return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + more + "\r\n" +
           body;
}

inline Hostile::Talk answering(const std::string& body, const std::string& more = "") {
    return [=](int socket, const std::string&) { say(socket, answer(body, more)); };
}

inline net::HttpClientOptions on_loopback() {
    net::HttpClientOptions options;
    options.allowed_networks = {"127.0.0.0/8"};
    options.plain_http = true;
    return options;
}

inline base::Fetched get(const std::string& url, net::HttpClientOptions options = on_loopback()) {
    base::Fetch asked;
    asked.url = url;
    asked.seconds = 20;
    return net::HttpClient(std::move(options)).fetch(asked);
}

}  // namespace net_test
