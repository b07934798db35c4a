// SPDX-License-Identifier: AGPL-3.0-or-later
// The HTTP/1.1 server: reads http::Request from sockets, writes http::Response. It knows neither routes nor
// users.
//
// `threads` I/O threads with one io_context each; a connection stays on one of them. They wait only for
// sockets, but do read files.
//
// What clients can make us hold is limited, in total and per address (IPv6: per /64): connections, bodies
// until their requests are answered, unread responses. Trusted proxies do not count as one address; the
// clients behind them do. Every wait is limited, and no trickle of bytes extends it for ever.
//
// A response that stays open (http/stream.hpp) keeps its connection until either side ends it: as a WebSocket
// or as an event stream.
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
    std::string address;     // 127.0.0.1, ::1, 0.0.0.0, ::; names are not resolved
    std::uint16_t port = 0;  // 0: the system chooses one, see Server::endpoints
    bool tls = false;
    int inherited = -1;  // a listening socket, perhaps shared with other processes (net/local/supervisor.hpp)
    std::string path;    // of a UNIX socket instead; its clients count as a trusted proxy
};

// One line of the access log. The views are valid only during the call. A query may contain secrets: the
// callback decides what to write.
struct AccessLine {
    std::string_view request_id, remote_address, method, target, user_agent;
    int status = 0;
    std::uint64_t bytes_in = 0;   // of the body
    std::uint64_t bytes_out = 0;  // including headers
    std::chrono::microseconds took{0};
};

struct Counters {
    std::int64_t connections_open = 0;
    std::uint64_t connections_accepted = 0, connections_refused = 0;
    std::uint64_t requests = 0, bytes_in = 0, bytes_out = 0;
    std::int64_t streams_open = 0;
    std::uint64_t streams_overrun = 0;  // ended because the client read too slowly
};

// A limit for all clients together, and for one address.
struct Bound {
    std::uint64_t all, of_one;
};

struct ServerOptions {
    using Milliseconds = std::chrono::milliseconds;

    std::vector<Endpoint> listen{{"127.0.0.1", 0, false}};
    std::filesystem::path tls_certificate,
        tls_key;  // PEM, for endpoints with tls; or none, and use_tls provides them
    unsigned threads = 2;
    std::vector<std::string> trusted_proxies{"127.0.0.0/8", "::1/128"};  // CIDR

    std::size_t head_limit = 16 << 10;  // request line and headers: 431 if longer
    std::size_t max_connections = 10'000;
    // Limits connections and, through trusted proxies, concurrent requests.
    std::size_t max_connections_per_address = 128;
    std::size_t max_pipelined = 16;  // further requests stay in the socket
    std::uint64_t small_body =
        16 << 10;  // that arrived with its head needs no admission; every route allows it

    Bound bodies_of_strangers{32 << 20, 8 << 20};  // http::Purse
    Bound bodies_of_users{64 << 20, 32 << 20};
    Bound uploads{1 << 30, 400 << 20};
    Bound unread_answers{256 << 20, 32 << 20};  // waiting to be sent

    Milliseconds head_timeout{10'000};  // from accepting, or from the first byte, to the last header
    Milliseconds body_pause{15'000};    // longest silence within a body
    Milliseconds body_grace{20'000};    // after this, a body must average body_bytes_per_second
    std::uint64_t body_bytes_per_second = 1024;
    Milliseconds stranger_body_timeout{60'000};  // regardless of the rate
    Milliseconds body_timeout{1'800'000};
    Milliseconds idle_timeout{75'000};  // between requests
    Milliseconds send_timeout{30'000};  // longest time without the client reading anything of a response
    Milliseconds answer_grace{60'000};  // after this, it must average answer_bytes_per_second
    std::uint64_t answer_bytes_per_second = 1024;
    Milliseconds answer_timeout{3'600'000};  // regardless of the rate
    Milliseconds linger_timeout{2'000};      // time to read on from a refused client, so that it sees why

    // At shutdown: how long to wait for new clients that have not sent a request yet, and for those that do
    // not react to the end of a stream.
    Milliseconds end_patience{250};

    Milliseconds ping_interval{30'000};       // of WebSockets; dropped if the previous ping was not answered
    Milliseconds heartbeat_interval{15'000};  // of event streams
    std::size_t stream_message = 4 << 10;     // longest message from a client
    std::size_t stream_backlog = 256 << 10;   // bytes that may wait for a slow reader

    bool strict_transport = false;                      // tells clients to use only TLS (RFC 6797)
    std::function<void(const AccessLine&)> access_log;  // called on I/O threads; must not block
};

class Server {
public:
    // The application must outlive the server. Throws std::invalid_argument for inconsistent options.
    Server(ServerOptions, http::Application&);
    ~Server();  // stops immediately

    void start();  // returns when listening; throws std::system_error, std::runtime_error
    std::vector<Endpoint> endpoints() const;  // with the ports that were chosen
    Counters counters() const;
    void reload_tls();  // rereads certificate and key, for new connections
    // For new connections, if no files are configured. Callable from any thread.
    void use_tls(const TlsIdentity&);
    void show_challenges(const std::map<std::string, TlsIdentity>& by_name);  // TlsChallenges

    // Runs it once on each I/O thread soon.
    void on_each_thread(const std::function<void()>&);

    // Stops accepting (new clients of inherited sockets are left to the next process), closes idle
    // connections, ends streams so that clients reconnect, and lets running requests finish until `grace` is
    // over; then cuts them off. Later responses are dropped.
    void stop(std::chrono::milliseconds grace);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace net
