// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/server.hpp"

#include <fcntl.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/v6_only.hpp>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "net/body_sink.hpp"
#include "net/serve.hpp"
#include "net/tls.hpp"

namespace net {

namespace {

using std::chrono::milliseconds;

// A refused connection is told so politely, unless there are very many of them.
constexpr std::size_t polite_refusals = 256;

ServerOptions checked(ServerOptions options) {
    if (options.threads == 0) throw std::invalid_argument("a server needs a thread");
    if (options.listen.empty()) throw std::invalid_argument("a server needs an address to listen on");
    if (options.max_pipelined == 0) throw std::invalid_argument("max_pipelined must not be 0");
    const bool tls =
        std::any_of(options.listen.begin(), options.listen.end(), [](auto& at) { return at.tls; });
    if (tls && (options.tls_certificate.empty() || options.tls_key.empty()))
        throw std::invalid_argument("TLS needs a certificate and a key");
    return options;
}

// Sockets must not leak into processes that are started later.
void close_on_exec(int fd) { ::fcntl(fd, F_SETFD, FD_CLOEXEC); }

Address address_of(const asio::ip::tcp::endpoint& endpoint) {
    return Address::parse(endpoint.address().to_string()).value_or(Address());
}

}  // namespace

struct Server::Impl {
    Impl(const ServerOptions& options, http::Application& application)
        : shared(std::make_shared<Shared>(
              Shared{checked(options), application, TrustedProxies(options.trusted_proxies)}
          )) {
        for (unsigned i = 0; i < shared->options.threads; ++i)
            workers.push_back(std::make_shared<Worker>(shared));
    }

    struct Listener {
        Acceptor acceptor;
        bool tls;
    };

    void listen(const Endpoint&);
    Task accept_from(Listener&);
    void take(Socket, Worker&, bool tls);
    Worker& least_busy() const;
    std::int64_t open() const;
    bool await_none(milliseconds grace) const;
    void load_tls();

    std::shared_ptr<const Shared> shared;
    std::vector<std::shared_ptr<Worker>> workers;
    std::vector<std::unique_ptr<Listener>> listeners;  // all on the first worker
    std::vector<std::thread> threads;
    std::vector<Endpoint> endpoints;
    std::mutex tls_lock;
    std::shared_ptr<asio::ssl::context> tls;
};

void Server::Impl::listen(const Endpoint& at) {
    ErrorCode error;
    const auto address = asio::ip::make_address(at.address, error);
    if (error) throw std::invalid_argument("not an IP address: " + at.address);
    const asio::ip::tcp::endpoint endpoint(address, at.port);
    const auto must = [&](const ErrorCode& failed) {
        if (failed)
            throw std::system_error(
                failed, "listening on " + at.address + " port " + std::to_string(at.port)
            );
    };
    Acceptor acceptor(workers.front()->io.get_executor());
    must(acceptor.open(endpoint.protocol(), error));
    close_on_exec(acceptor.native_handle());
    must(acceptor.set_option(asio::socket_base::reuse_address(true), error));
    if (address.is_v6()) must(acceptor.set_option(asio::ip::v6_only(true), error));
    must(acceptor.bind(endpoint, error));
    must(acceptor.listen(asio::socket_base::max_listen_connections, error));
    endpoints.push_back({at.address, acceptor.local_endpoint().port(), at.tls});
    listeners.push_back(std::make_unique<Listener>(Listener{std::move(acceptor), at.tls}));
}

// The first worker accepts for all and spreads the connections evenly, which SO_REUSEPORT does not; and a
// port that is taken by another process is noticed.
Task Server::Impl::accept_from(Listener& listener) {
    ErrorCode error;
    Timer pause(workers.front()->io.get_executor());
    for (;;) {
        auto& worker = least_busy();
        auto socket = co_await listener.acceptor.async_accept(worker.io, into(error));
        if (!listener.acceptor.is_open()) co_return;
        if (!error) {
            take(std::move(socket), worker, listener.tls);
        } else {  // out of descriptors, most likely
            pause.expires_after(milliseconds(100));
            co_await pause.async_wait(into(error));
        }
    }
}

void Server::Impl::take(Socket socket, Worker& worker, bool with_tls) {
    ErrorCode error;
    const auto peer = socket.remote_endpoint(error);
    if (error) return;  // gone already
    close_on_exec(socket.native_handle());
    socket.set_option(asio::ip::tcp::no_delay(true), error);
    socket.non_blocking(true, error);
    const auto others = static_cast<std::size_t>(open());
    const bool refused = others >= shared->options.max_connections;
    (refused ? worker.totals.refused : worker.totals.accepted).fetch_add(1);
    if (refused && (with_tls || others >= shared->options.max_connections + polite_refusals)) return;

    worker.open.fetch_add(1);
    if (with_tls) {
        std::lock_guard lock(tls_lock);
        asio::ssl::stream<Socket> stream(std::move(socket), *tls);
        worker.post([&worker, stream = std::move(stream), from = address_of(peer)]() mutable {
            serve_tls(worker.shared_from_this(), std::move(stream), from);
        });
        return;
    }
    worker.post([&worker, socket = std::move(socket), from = address_of(peer), refused]() mutable {
        serve_plain(worker.shared_from_this(), std::move(socket), from, refused);
    });
}

Worker& Server::Impl::least_busy() const {
    return **std::min_element(workers.begin(), workers.end(), [](const auto& a, const auto& b) {
        return a->open.load() < b->open.load();
    });
}

std::int64_t Server::Impl::open() const {
    std::int64_t sum = 0;
    for (const auto& worker : workers) sum += worker->open.load();
    return sum;
}

bool Server::Impl::await_none(milliseconds grace) const {
    const auto until = std::chrono::steady_clock::now() + grace;
    while (open() > 0 && std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(milliseconds(5));
    return open() == 0;
}

void Server::Impl::load_tls() {
    if (shared->options.tls_certificate.empty()) return;
    auto fresh = tls_context(shared->options.tls_certificate, shared->options.tls_key);
    std::lock_guard lock(tls_lock);
    tls = std::move(fresh);
}

Server::Server(ServerOptions options, http::Application& application)
    : impl_(std::make_unique<Impl>(options, application)) {}

Server::~Server() { stop(milliseconds(0)); }

void Server::start() {
    impl_->load_tls();
    remove_stale_bodies(impl_->shared->options.spool_directory);
    for (const auto& at : impl_->shared->options.listen) impl_->listen(at);
    auto& first = *impl_->workers.front();
    for (const auto& listener : impl_->listeners)
        asio::co_spawn(first.io, impl_->accept_from(*listener), [](std::exception_ptr) {});
    for (const auto& worker : impl_->workers) impl_->threads.emplace_back([worker] { worker->run(); });
}

std::vector<Endpoint> Server::endpoints() const { return impl_->endpoints; }

Counters Server::counters() const {
    Counters sum;
    sum.connections_open = impl_->open();
    for (const auto& worker : impl_->workers) {
        sum.connections_accepted += worker->totals.accepted.load();
        sum.connections_refused += worker->totals.refused.load();
        sum.requests += worker->totals.requests.load();
        sum.bytes_in += worker->totals.bytes_in.load();
        sum.bytes_out += worker->totals.bytes_out.load();
    }
    return sum;
}

void Server::reload_tls() { impl_->load_tls(); }

void Server::stop(milliseconds grace) {
    if (impl_->threads.empty()) return;
    auto& workers = impl_->workers;
    // What is posted holds no worker: it may never run, and would keep it alive in its own queue.
    workers.front()->post([this] {
        for (const auto& listener : impl_->listeners) listener->acceptor.close();
    });
    for (const auto& worker : workers) worker->post([w = worker.get()] { w->drain(); });
    if (!impl_->await_none(grace)) {
        for (const auto& worker : workers) worker->post([w = worker.get()] { w->cut_off(); });
        impl_->await_none(milliseconds(5000));
    }
    for (const auto& worker : workers) worker->stop();
    for (auto& thread : impl_->threads) thread.join();
    for (const auto& worker : workers) worker->finish();
    impl_->threads.clear();
}

}  // namespace net
