// SPDX-License-Identifier: AGPL-3.0-or-later
// A real server on loopback, an application whose answers the test gives, a client that sends exact bytes.
#pragma once
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "http/application.hpp"
#include "net/fd.hpp"
#include "net/server.hpp"

namespace net_test {

inline http::Response text(std::string body) {
    http::Response response;
    response.content_type = "text/plain";
    response.body = std::move(body);
    return response;
}

struct App : http::Application {
    // By default the answer is the target.
    std::function<void(http::Request, http::Pending)> on = [](http::Request request, http::Pending reply) {
        reply.answer(text(request.target));
    };
    // What becomes of bodies that do not come along with their heads, unless on_head decides otherwise.
    http::Admission terms;
    std::function<void(const http::Request&, http::PendingAdmission)> on_head;

    void admit(http::Request head, http::PendingAdmission decision) override {
        if (on_head) return on_head(head, std::move(decision));
        decision.admit(admission(std::move(head)));
    }
    http::Admission admission(http::Request head) {
        auto admitted = terms;
        admitted.intake = std::make_shared<Gathering>(*this, std::move(head));
        return admitted;
    }
    void serve(http::Request request, http::Pending reply) override {
        on(std::move(request), std::move(reply));
    }

private:
    struct Gathering : http::Intake {
        Gathering(App& to, http::Request head) : app(to), request(std::move(head)) {}
        void take(std::string piece, Done done) override {
            request.body += piece;
            done(std::nullopt);
        }
        void serve(std::string body, http::Pending reply) override {
            request.body += body;
            app.on(std::move(request), std::move(reply));
        }
        App& app;
        http::Request request;
    };
};

// Requests that wait until the test answers them.
class Held {
public:
    auto hold() {
        return [this](http::Request request, http::Pending reply) {
            std::lock_guard lock(lock_);
            waiting_.emplace_back(std::move(request.target), std::move(reply));
            came_.notify_all();
        };
    }
    // Waits for the request, whichever came before it.
    http::Pending take(std::string_view target) {
        std::unique_lock lock(lock_);
        auto found = waiting_.end();
        const bool came = came_.wait_for(lock, std::chrono::seconds(20), [&] {
            found =
                std::find_if(waiting_.begin(), waiting_.end(), [&](auto& w) { return w.first == target; });
            return found != waiting_.end();
        });
        if (!came) throw std::runtime_error("no request came for " + std::string(target));
        auto reply = std::move(found->second);
        found->first = "(taken)";
        return reply;
    }
    std::size_t count() {
        std::lock_guard lock(lock_);
        return waiting_.size();
    }

private:
    std::mutex lock_;
    std::condition_variable came_;
    std::deque<std::pair<std::string, http::Pending>> waiting_;
};

inline bool eventually(const std::function<bool()>& condition) {
    for (int i = 0; i < 4000; ++i) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
}

struct Answer {
    int status = 0;  // 0: the connection ended instead
    std::string head, body;

    bool has(std::string_view line) const {
        return head.find("\r\n" + std::string(line) + "\r\n") != head.npos;
    }
    std::string header(std::string_view name) const {
        const auto at = head.find("\r\n" + std::string(name) + ": ");
        if (at == head.npos) return {};
        const auto start = at + name.size() + 4;
        return head.substr(start, head.find("\r\n", start) - start);
    }
};

inline std::string asking_for(std::string_view target) {
    return "GET " + std::string(target) + " HTTP/1.1\r\nHost: a\r\n\r\n";
}

class Client {
public:
    // `from`: 127.0.0.0/8 has many addresses to come from.
    explicit Client(std::uint16_t port, const char* from = "127.0.0.1") : Client(Unconnected{}, from) {
        connect(port);
    }
    explicit Client(const net::Server& server, const char* from = "127.0.0.1")
        : Client(server.endpoints().at(0).port, from) {}

    struct Unconnected {};
    explicit Client(Unconnected, const char* from = "127.0.0.1")
        : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        timeval patience{20, 0};
        ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        auto at = loopback(0);
        ::inet_pton(AF_INET, from, &at.sin_addr);
        if (::bind(socket_.get(), reinterpret_cast<sockaddr*>(&at), sizeof at) != 0)
            throw std::runtime_error("cannot bind");
    }
    void connect(std::uint16_t port) {
        const auto at = loopback(port);
        if (::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0)
            throw std::runtime_error("cannot connect");
    }

    Client& send(std::string_view bytes) {
        while (!bytes.empty()) {
            const auto sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent <= 0) break;
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
        return *this;
    }
    Client& get(std::string_view target) { return send(asking_for(target)); }
    Answer read(bool head_only = false) {
        Answer answer;
        std::size_t end;
        while ((end = unread_.find("\r\n\r\n")) == unread_.npos)
            if (!fill()) return answer;
        answer.head = unread_.substr(0, end + 2);
        unread_.erase(0, end + 4);
        answer.status = std::stoi(answer.head.substr(9, 3));
        const auto length = answer.header("Content-Length");
        const auto size = head_only || length.empty() ? 0 : std::stoul(length);
        while (unread_.size() < size)
            if (!fill()) return {};
        answer.body = unread_.substr(0, size);
        unread_.erase(0, size);
        return answer;
    }
    bool taste(std::size_t size) {  // reads that much at most and forgets it; false: there is no more
        std::string bytes(size, ' ');
        return ::recv(socket_.get(), bytes.data(), size, 0) > 0;
    }
    std::string take(std::size_t size) {  // of a body without a length; less at the end
        while (unread_.size() < size && fill()) continue;
        auto out = unread_.substr(0, size);
        unread_.erase(0, out.size());
        return out;
    }
    bool ended() { return unread_.empty() && !fill(); }
    void finish_sending() { ::shutdown(socket_.get(), SHUT_WR); }
    void vanish() {  // with a reset
        linger now{1, 0};
        ::setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
        socket_ = {};
    }

private:
    static sockaddr_in loopback(std::uint16_t port) {
        sockaddr_in at{};
        at.sin_family = AF_INET;
        at.sin_port = htons(port);
        at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return at;
    }
    bool fill() {
        char bytes[16384];
        const auto size = ::recv(socket_.get(), bytes, sizeof bytes, 0);
        if (size <= 0) return false;
        unread_.append(bytes, static_cast<std::size_t>(size));
        return true;
    }

    net::Fd socket_;
    std::string unread_;
};

struct Stage {
    explicit Stage(net::ServerOptions options = {}) : server(std::move(options), app) {}
    Stage& start() {
        server.start();
        return *this;
    }

    App app;
    net::Server server;
};

}  // namespace net_test
