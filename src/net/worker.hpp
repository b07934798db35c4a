// SPDX-License-Identifier: AGPL-3.0-or-later
// One I/O thread: its io_context, its timer wheel and its connections. Everything but post(), push_soon(),
// stop(), totals and `open` belongs to that thread.
#pragma once
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/intrusive/list.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <string>

#include "http/application.hpp"
#include "net/asio.hpp"
#include "net/forwarded.hpp"
#include "net/server.hpp"
#include "net/shares.hpp"
#include "net/timer_wheel.hpp"

namespace net {

class OpenStream;

using InWorkersList = boost::intrusive::list_base_hook<
    boost::intrusive::tag<class WorkersList>, boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

// Something that lives on a worker until it ends: a connection, or a response that stays open.
class Resident : public TimerWheel::Entry, public InWorkersList {
public:
    virtual void drain() = 0;  // finishes its current work
    virtual void cut_off() = 0;

protected:
    ~Resident() = default;
};

struct Totals {
    std::atomic<std::uint64_t> accepted{0}, refused{0}, requests{0}, bytes_in{0}, bytes_out{0};
    std::atomic<std::int64_t> streams_open{0};
    std::atomic<std::uint64_t> streams_overrun{0};
};

// Shared by all connections of a server; constant except for counters.
struct Shared {
    Shared(ServerOptions, http::Application&);

    const std::shared_ptr<Shares>& purse(http::Purse which) const {
        return purses[static_cast<std::size_t>(which)];
    }
    // Whose limits something counts against; never those of a trusted proxy.
    std::optional<Address> holder(const Address& client) const;

    ServerOptions options;
    http::Application& application;
    NetworkSet proxies;
    std::shared_ptr<Shares> places;  // connections, and requests through proxies
    std::array<std::shared_ptr<Shares>, 3> purses;
    std::shared_ptr<Shares> answers;
};

// Shared, because a response may arrive from another thread after the server is gone.
class Worker : public std::enable_shared_from_this<Worker> {
public:
    explicit Worker(std::shared_ptr<const Shared>);
    ~Worker();

    void run();     // until stop()
    void stop();    // callable from any thread
    void finish();  // call after run(): ends what is left, so that no coroutine keeps its worker alive
    template <class F>
    void post(F&& f) {
        asio::post(io, std::forward<F>(f));
    }
    // Called when an open response has something to send. Callable from any thread. Thousands of them are
    // sent in batches, between which other requests are served.
    void push_soon(std::weak_ptr<OpenStream>);
    bool is_current() const { return current_ == this; }

    void add(Resident&);
    void drain();
    void cut_off();
    bool draining() const { return draining_; }

    void set_deadline(TimerWheel::Entry&, std::chrono::milliseconds after);
    void clear_deadline(TimerWheel::Entry& entry) { wheel_.clear(entry); }
    std::string_view date();  // current, for the Date header
    std::string new_request_id();

    asio::io_context io{1};
    const std::shared_ptr<const Shared> shared;
    Totals totals;
    std::atomic<std::int64_t> open{0
    };  // connections of this worker, including what they became, that are not destroyed yet

private:
    void tick();
    void push_some();

    static thread_local const Worker* current_;

    asio::executor_work_guard<Executor> work_{io.get_executor()};
    TimerWheel wheel_;
    Timer ticker_{io};
    std::mutex pushes_lock_;
    std::deque<std::weak_ptr<OpenStream>> pushes_;
    bool pushing_ = false;
    bool ticking_ = false;
    bool draining_ = false;
    std::int64_t date_second_ = 0;
    std::string date_;
    std::mt19937_64 random_;
    boost::intrusive::list<
        Resident, boost::intrusive::base_hook<InWorkersList>, boost::intrusive::constant_time_size<false>>
        residents_;
};

}  // namespace net
