// SPDX-License-Identifier: AGPL-3.0-or-later
// The HTTP/1.1 server: sockets in, http::Request out, http::Response back. It knows no route and no user.
//
// Threads: `threads` I/O threads with one io_context each; a connection lives on one of them. Nothing here
// waits for anything but sockets; files are read on the I/O thread, though.
//
// What strangers can make us hold is bounded, in all and per address (IPv6: per /64): connections, bodies until
// their requests are answered, answers nobody reads. Trusted proxies are not counted as one address; for whom they
// speak is. Every wait has an end, and no steady trickle moves it for ever.
//
// An answer that stays open (http/stream.hpp) keeps its connection until one of both ends it: as a WebSocket, by
// Beast's hand, or as an event stream.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace http {
class Application;
}

namespace net {

struct TlsIdentity;

struct Endpoint {
    std::string address;     // 127.0.0.1, ::1, 0.0.0.0, ::; a name is not looked up
    std::uint16_t port = 0;  // 0: the system picks one, see Server::endpoints
    bool tls = false;
    int inherited = -1;  // a socket that listens there already, of others as well (net/local/supervisor.hpp)
    std::string path;    // of a UNIX socket instead; who comes there is the proxy
};

// One line of the access log. The views live as long as the call. A query may hold secrets: the hook decides
// what to write down.
struct AccessLine {
    std::string_view request_id, remote_address, method, target, user_agent;
    int status = 0;
    std::uint64_t bytes_in = 0;   // of the body
    std::uint64_t bytes_out = 0;  // with headers
    std::chrono::microseconds took{0};
};

struct Counters {
    std::int64_t connections_open = 0;
    std::uint64_t connections_accepted = 0, connections_refused = 0;
    std::uint64_t requests = 0, bytes_in = 0, bytes_out = 0;
    std::int64_t streams_open = 0;
    std::uint64_t streams_overrun = 0;  // ended because their readers were too slow
};

// A bound for all together, and for one address.
struct Bound {
    std::uint64_t all, of_one;
};

struct ServerOptions {
    using Milliseconds = std::chrono::milliseconds;

    std::vector<Endpoint> listen{{"127.0.0.1", 0, false}};
    std::filesystem::path tls_certificate,
        tls_key;  // PEM, for endpoints with tls; or none, and use_tls gives them
    unsigned threads = 2;
    std::vector<std::string> trusted_proxies{"127.0.0.0/8", "::1/128"};  // CIDR

    std::size_t head_limit = 16 << 10;  // request line and headers: 431 above
    std::size_t max_connections = 10'000;
    // Of connections and, through trusted proxies, of requests that are being served.
    std::size_t max_connections_per_address = 128;
    std::size_t max_pipelined = 16;  // further ones stay in the socket
    std::uint64_t small_body =
        16 << 10;  // that came along with its head is not asked about; no route takes less

    Bound bodies_of_strangers{32 << 20, 8 << 20};  // http::Purse
    Bound bodies_of_users{64 << 20, 32 << 20};
    Bound uploads{1 << 30, 400 << 20};
    Bound unread_answers{256 << 20, 32 << 20};  // that wait to be sent

    Milliseconds head_timeout{10'000};  // from the first byte, or from accepting, to the last header
    Milliseconds body_pause{15'000};    // longest silence inside a body
    Milliseconds body_grace{20'000};  // after this a body must have come at body_bytes_per_second on average
    std::uint64_t body_bytes_per_second = 1024;
    Milliseconds stranger_body_timeout{60'000};  // whatever its average
    Milliseconds body_timeout{1'800'000};
    Milliseconds idle_timeout{75'000};  // between requests
    Milliseconds send_timeout{30'000};  // longest time in which the client takes nothing of an answer
    Milliseconds answer_grace{60'000
    };  // after this it must have been taken at answer_bytes_per_second on average
    std::uint64_t answer_bytes_per_second = 1024;
    Milliseconds answer_timeout{3'600'000};  // whatever the average
    Milliseconds linger_timeout{2'000};      // how long a refused sender is heard out, so that it sees why

    // At the end of the server: how long who has come and asked nothing yet, or does not hear that a stream ends, is
    // waited for.
    Milliseconds end_patience{250};

    Milliseconds ping_interval{30'000};       // of WebSockets; who has not answered the one before is dropped
    Milliseconds heartbeat_interval{15'000};  // of event streams
    std::size_t stream_message = 4 << 10;     // longest of a client
    std::size_t stream_backlog = 256 << 10;   // bytes that may wait for a slow reader

    bool strict_transport = false;  // tells who came over TLS to come no other way (RFC 6797)
    std::function<void(const AccessLine&)> access_log;  // called on I/O threads; must not block
};

class Server {
public:
    // The application must outlive the server. Throws std::invalid_argument for options that make no sense.
    Server(ServerOptions, http::Application&);
    ~Server();  // stops at once

    void start();  // returns when listening; throws std::system_error, std::runtime_error
    std::vector<Endpoint> endpoints() const;  // with the ports that were picked
    Counters counters() const;
    void reload_tls();  // reads certificate and key again, for new connections
    // For new connections; where no files were named. From any thread.
    void use_tls(const TlsIdentity&);
    void show_challenges(const std::map<std::string, TlsIdentity>& by_name);  // TlsChallenges

    // Runs it once on each I/O thread, soon.
    void on_each_thread(const std::function<void()>&);

    // Accepts no more, which for inherited sockets leaves who comes to the next process; closes idle connections, tells
    // streams that they may come again, lets requests in flight finish until `grace` is over, then cuts them off. Answers
    // that come later are dropped.
    void stop(std::chrono::milliseconds grace);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace net
