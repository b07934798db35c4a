// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/server.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/v6_only.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "base/log.hpp"
#include "net/answer.hpp"
#include "net/connection.hpp"
#include "net/local/socket_file.hpp"
#include "net/tls.hpp"

namespace net {

namespace {

using std::chrono::milliseconds;

// Refused connections get a response, unless there are very many of them.
constexpr Bound polite_refusals{256, 8};
constexpr Refusal too_many{503, "Too many connections, please try again"};
constexpr Refusal too_many_of_one{429, "Too many connections from your address, please try again"};

ServerOptions checked(ServerOptions options) {
    if (options.threads == 0) throw std::invalid_argument("a server needs a thread");
    if (options.listen.empty()) throw std::invalid_argument("a server needs an address to listen on");
    if (options.max_pipelined == 0) throw std::invalid_argument("max_pipelined must not be 0");
    if (options.tls_certificate.empty() != options.tls_key.empty())
        throw std::invalid_argument("TLS needs a certificate and a key");
    return options;
}

// Child processes must not inherit sockets.
void close_on_exec(int fd) { ::fcntl(fd, F_SETFD, FD_CLOEXEC); }

Address address_of(const asio::ip::tcp::endpoint& endpoint) {
    return Address::parse(endpoint.address().to_string()).value_or(Address());
}

}  // namespace

struct Server::Impl {
    Impl(const ServerOptions& options, http::Application& application)
        : shared(std::make_shared<Shared>(checked(options), application)) {
        for (unsigned i = 0; i < shared->options.threads; ++i)
            workers.push_back(std::make_shared<Worker>(shared));
        challenges.join(*tls);
    }

    struct Listener {
        Acceptor acceptor;
        bool tls;
        bool local = false;                // a UNIX socket
        std::unique_ptr<SocketFile> file;  // if we created it
    };

    void listen(const Endpoint&);
    Acceptor open_acceptor(const Endpoint&);
    Acceptor adopt(const Endpoint&);
    void listen_locally(const Endpoint&);
    Task accept_from(Listener&);
    void take(Socket, Worker&, const Listener&);
    bool seat(Peer&);
    bool turn_away(Listener&);
    void report_turned_away();
    Worker& least_busy() const;
    std::int64_t open() const;
    bool await_none(milliseconds grace) const;
    void load_tls();
    void take_tls(std::shared_ptr<asio::ssl::context>);

    std::shared_ptr<const Shared> shared;
    std::vector<std::shared_ptr<Worker>> workers;
    std::vector<std::unique_ptr<Listener>> listeners;  // all run on the first worker
    std::atomic<int> accepting = 0;                    // of the listeners
    std::vector<std::thread> threads;
    std::vector<Endpoint> endpoints;
    std::shared_ptr<Shares> refusals = std::make_shared<Shares>(polite_refusals.all, polite_refusals.of_one);
    // A reserved descriptor, to be able to answer clients when there are none left.
    Fd reserve{::open("/dev/null", O_RDONLY | O_CLOEXEC)};
    std::uint64_t turned_away = 0;
    std::chrono::steady_clock::time_point reported;
    TlsChallenges challenges;
    std::mutex tls_lock;
    std::shared_ptr<asio::ssl::context> tls = tls_context(TlsIdentity());
};

Acceptor Server::Impl::open_acceptor(const Endpoint& at) {
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
    return acceptor;
}

Acceptor Server::Impl::adopt(const Endpoint& at) {
    const bool v6 = asio::ip::make_address(at.address).is_v6();
    return {workers.front()->io.get_executor(), v6 ? asio::ip::tcp::v6() : asio::ip::tcp::v4(), at.inherited};
}

// An Asio socket's protocol determines only how it is opened and how addresses are read, which does not
// happen with these; so the TCP type serves for UNIX sockets too.
void Server::Impl::listen_locally(const Endpoint& at) {
    auto file = at.inherited < 0 ? std::make_unique<SocketFile>(at.path) : nullptr;
    Acceptor acceptor(
        workers.front()->io.get_executor(), asio::ip::tcp::v4(), file ? file->release() : at.inherited
    );
    endpoints.push_back({.path = at.path});
    listeners.push_back(std::make_unique<Listener>(Listener{std::move(acceptor), false, true, std::move(file)}
    ));
}

void Server::Impl::listen(const Endpoint& at) {
    if (!at.path.empty()) return listen_locally(at);
    auto acceptor = at.inherited < 0 ? open_acceptor(at) : adopt(at);
    endpoints.push_back({at.address, acceptor.local_endpoint().port(), at.tls});
    listeners.push_back(std::make_unique<Listener>(Listener{std::move(acceptor), at.tls, false, nullptr}));
}

// The first worker accepts for all and distributes connections evenly, which SO_REUSEPORT does not; this also
// detects a port that another process uses.
Task Server::Impl::accept_from(Listener& listener) {
    ErrorCode error;
    Timer pause(workers.front()->io.get_executor());
    for (;;) {
        auto& worker = least_busy();
        auto socket = co_await listener.acceptor.async_accept(worker.io, into(error));
        const bool no_descriptors = error == asio::error::no_descriptors ||
                                    error == boost::system::errc::too_many_files_open_in_system;
        if (!error) {
            take(std::move(socket), worker, listener);
        } else if (!listener.acceptor.is_open()) {
            break;
        } else if (!no_descriptors || !turn_away(listener)) {
            pause.expires_after(milliseconds(100));
            co_await pause.async_wait(into(error));
        }
    }
    --accepting;
}

// Out of file descriptors: uses the reserved one to accept a connection and answer 503. False when no
// connection was pending.
bool Server::Impl::turn_away(Listener& listener) {
    const auto said = error_answer(too_many);
    std::string answer;
    write_head(
        answer,
        said,
        {.request_id = workers.front()->new_request_id(),
         .date = workers.front()->date(),
         .length = said.body.size(),
         .keep_alive = false}
    );
    answer += said.body;
    reserve = {};
    Fd socket(::accept4(listener.acceptor.native_handle(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    const bool came = static_cast<bool>(socket);
    if (came && !listener.tls) {
        char unread[4096];  // closing with unread bytes would discard the response
        while (::recv(socket.get(), unread, sizeof unread, 0) > 0) continue;
        ::send(socket.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
        ::shutdown(socket.get(), SHUT_WR);
    }
    socket = {};
    reserve = Fd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (came) report_turned_away();
    return came;
}

// Logs once a minute.
void Server::Impl::report_turned_away() {
    ++turned_away;
    workers.front()->totals.refused.fetch_add(1);
    const auto now = std::chrono::steady_clock::now();
    if (reported.time_since_epoch().count() != 0 && now - reported < std::chrono::minutes(1)) return;
    reported = now;
    base::log_error(
        "no file descriptor is left for a new connection; raise the limit (ulimit -n, LimitNOFILE) or lower "
        "max_connections",
        {{"refused", std::to_string(std::exchange(turned_away, 0))}}
    );
}

// Returns false when there are too many refused connections even to answer them.
bool Server::Impl::seat(Peer& peer) {
    const auto holder = peer.proxy ? std::nullopt : shared->holder(peer.address);
    peer.place = Share(shared->places, holder);
    const bool full = static_cast<std::size_t>(open()) >= shared->options.max_connections;
    if (full) peer.refusal = too_many;
    else if (holder && peer.place.grow(1) != Shares::Outcome::taken) peer.refusal = too_many_of_one;
    if (!peer.refusal) return true;
    peer.place = Share(refusals, holder);
    return peer.place.grow(1) == Shares::Outcome::taken;
}

void Server::Impl::take(Socket socket, Worker& worker, const Listener& by) {
    ErrorCode error;
    static const auto this_machine = *Address::parse("127.0.0.1");
    Peer peer{this_machine, {}, {}, by.local};
    if (!by.local) {
        const auto from = socket.remote_endpoint(error);
        if (error) return;  // gone already
        peer.address = address_of(from);
        socket.set_option(asio::ip::tcp::no_delay(true), error);
    }
    const bool with_tls = by.tls;
    close_on_exec(socket.native_handle());
    socket.non_blocking(true, error);
    const bool heard = seat(peer);
    (peer.refusal ? worker.totals.refused : worker.totals.accepted).fetch_add(1);
    if (!heard || (peer.refusal && with_tls)) return;

    worker.open.fetch_add(1);
    if (with_tls) {
        std::lock_guard lock(tls_lock);
        asio::ssl::stream<Socket> stream(std::move(socket), *tls);
        worker.post([&worker, stream = std::move(stream), peer = std::move(peer)]() mutable {
            serve_tls(worker.shared_from_this(), std::move(stream), std::move(peer));
        });
        return;
    }
    worker.post([&worker, socket = std::move(socket), peer = std::move(peer)]() mutable {
        serve_plain(worker.shared_from_this(), std::move(socket), std::move(peer));
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
    const auto some = [this] { return accepting > 0 || open() > 0; };
    while (some() && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(milliseconds(5));
    return !some();
}

void Server::Impl::load_tls() {
    if (shared->options.tls_certificate.empty()) return;
    take_tls(tls_context(shared->options.tls_certificate, shared->options.tls_key));
}

void Server::Impl::take_tls(std::shared_ptr<asio::ssl::context> fresh) {
    challenges.join(*fresh);
    std::lock_guard lock(tls_lock);
    tls = std::move(fresh);
}

Server::Server(ServerOptions options, http::Application& application)
    : impl_(std::make_unique<Impl>(options, application)) {}

Server::~Server() { stop(milliseconds(0)); }

void Server::start() {
    impl_->load_tls();
    for (const auto& at : impl_->shared->options.listen) impl_->listen(at);
    auto& first = *impl_->workers.front();
    for (const auto& listener : impl_->listeners) {
        ++impl_->accepting;
        asio::co_spawn(first.io, impl_->accept_from(*listener), [](std::exception_ptr) {});
    }
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
        sum.streams_open += worker->totals.streams_open.load();
        sum.streams_overrun += worker->totals.streams_overrun.load();
    }
    return sum;
}

void Server::reload_tls() { impl_->load_tls(); }

void Server::use_tls(const TlsIdentity& identity) { impl_->take_tls(tls_context(identity)); }

void Server::show_challenges(const std::map<std::string, TlsIdentity>& by_name) {
    impl_->challenges.set(by_name);
}

void Server::on_each_thread(const std::function<void()>& f) {
    for (const auto& worker : impl_->workers) worker->post(f);
}

void Server::stop(milliseconds grace) {
    if (impl_->threads.empty()) return;
    auto& workers = impl_->workers;
    // The posted functions must not own their worker: they may never run, and would keep it alive in its own
    // queue.
    workers.front()->post([this] {
        for (const auto& listener : impl_->listeners) listener->acceptor.close();
    });
    for (const auto& worker : workers) worker->post([w = worker.get()] { w->drain(); });
    if (!impl_->await_none(grace)) {
        for (const auto& worker : workers) worker->post([w = worker.get()] { w->cut_off(); });
        impl_->await_none(milliseconds(1000));
    }
    for (const auto& worker : workers) worker->stop();
    for (auto& thread : impl_->threads) thread.join();
    for (const auto& worker : workers) worker->finish();
    impl_->threads.clear();
}

}  // namespace net
