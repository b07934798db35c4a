// SPDX-License-Identifier: AGPL-3.0-or-later
// A thread that leases work from a table, lets other threads prepare and sign the requests, sends many
// concurrently, and stores the results in batches. It sleeps while nothing is due. DeliveryWorker and Pusher
// define the work.
#pragma once
#include "base/log.hpp"
#include "db/engine.hpp"
#include "db/write_gate.hpp"
#include "federating/signing_pool.hpp"
#include "net/client/sender.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

namespace server {

// Exchange: a report to store in the database, and the work leased at the same time. Derived classes must
// call stop() in their destructor.
template <class Exchange>
class SendingThread {
public:
    void start() {
        stopping_ = false;
        signing_pool_.start(signing_threads_);
        thread_ = std::thread([this] { loop(); });
    }

    // Call before the engine stops. Requests in progress get three seconds.
    void stop() {
        stopping_ = true;
        sender_.wake();
        if (thread_.joinable()) thread_.join();
        signing_pool_.stop();
    }

    // Something was written; callable from any thread.
    void wake() {
        woken_ = true;
        sender_.wake();
    }

protected:
    using Steady = std::chrono::steady_clock;
    using Milliseconds = std::chrono::milliseconds;

    struct Pace {
        const char* write;           // the name of the change that stores results and leases work
        Milliseconds between_looks;  // for finding what other processes wrote
        unsigned signing_threads = 1;
    };

    SendingThread(db::Engine& engine, net::HttpClientOptions client, Pace pace)
        : sender_(std::move(client)),
          engine_(engine),
          write_(pace.write),
          between_looks_(pace.between_looks),
          signing_threads_(std::max(1U, pace.signing_threads)) {}
    virtual ~SendingThread() = default;
    SendingThread(const SendingThread&) = delete;
    SendingThread& operator=(const SendingThread&) = delete;

    // Called on the thread itself:
    virtual std::size_t outcomes() const = 0;     // number of results to store
    virtual bool has_report() const = 0;          // results, or anything else to store
    virtual void take_report(Exchange&) = 0;      // empties the report; also sets how much to lease
    virtual void report_again(Exchange&) = 0;     // it could not be stored
    virtual void take_in(Exchange&) = 0;          // the leased work
    virtual void begin_some() = 0;                // of the leased work
    virtual void finish(net::Sender::Ended) = 0;  // a request has ended
    virtual bool is_under_way() const = 0;        // any request in progress
    virtual void give_back() {}                   // unstarted work, because the thread is ending
    virtual void give_up() = 0;                   // requests without a response at the end
    virtual void turned() {}                      // once per turn
    // Called on the writer and on a reader; if load() throws, that is logged and nothing is sent.
    virtual void exchange(db::Write&, Exchange&) = 0;
    virtual bool has_leased(const Exchange&) const = 0;
    virtual void load(db::Read&, Exchange&) const = 0;
    virtual void drop_leased(Exchange&) const = 0;  // keeps the lease until it expires

    bool is_stopping() const { return stopping_; }
    void look_soon() { woken_ = true; }
    void look_in(Milliseconds time) {
        look_at_ = std::min(look_at_, Steady::now() + std::max(time, Milliseconds(0)));
    }

    net::Sender sender_;
    SigningPool signing_pool_{[this] { sender_.wake(); }};

private:
    static constexpr std::size_t full_report = 128;
    static constexpr Milliseconds between_reports{10}, pause_after_trouble{1000}, time_to_stop{3000};

    void loop() {
        look_at_ = Steady::now();
        Steady::time_point end;
        for (bool leaving = false;;) {
            take_deposited();
            if (stopping_ && !std::exchange(leaving, true)) end = Steady::now() + time_to_stop;
            if (leaving) give_back();
            else begin_some();
            const bool over = leaving && (!is_under_way() || Steady::now() >= end);
            if (over && !exchanging_) break;
            if (wants_exchange() && !over) begin_exchange();
            const auto wait = leaving ? std::min(patience(), Milliseconds(100)) : patience();
            for (auto& one : signing_pool_.take()) sender_.start(one.tag, std::move(one.request));
            for (auto& ended : sender_.wait(wait)) finish(std::move(ended));
            turned();
        }
        give_up();
        if (!has_report()) return;
        begin_exchange();
        while (exchanging_) {
            sender_.wait(Milliseconds(100));
            take_deposited();
        }
    }

    bool wants_exchange() const {
        if (exchanging_) return false;
        const auto now = Steady::now();
        const bool reason = woken_ || now >= look_at_ || has_report();
        return reason && (outcomes() >= full_report || now - exchanged_at_ >= between_reports);
    }

    Milliseconds patience() const {
        if (exchanging_) return between_looks_;
        auto until = woken_ || has_report() ? exchanged_at_ : look_at_;
        until = std::max(until, exchanged_at_ + between_reports);
        const auto left = std::chrono::ceil<Milliseconds>(until - Steady::now());
        return std::clamp(left, Milliseconds(0), between_looks_);
    }

    struct Deposit {
        Exchange exchange;
        bool failed = false;
    };

    void begin_exchange() {
        exchanging_ = true;
        exchanged_at_ = Steady::now();
        woken_ = false;
        auto one = std::make_shared<Deposit>();
        take_report(one->exchange);
        auto change = [this, one](db::Write& db) { exchange(db, one->exchange); };
        auto done = [this, one](std::exception_ptr error) {
            one->failed = error != nullptr;
            if (error || !has_leased(one->exchange)) return deposit(one);
            auto look = [this, one](db::Read& db) {
                try {
                    load(db, one->exchange);
                } catch (const std::exception& e) {
                    base::log_error(
                        "what is to be sent cannot be read", {{"cause", e.what()}, {"name", write_}}
                    );
                    drop_leased(one->exchange);
                }
                deposit(one);
            };
            if (engine_.read(look, db::newest)) return;
            drop_leased(one->exchange);
            deposit(one);
        };
        // Sending removes rows, so it continues on a full disk.
        const db::MakingRoom making_room;
        if (engine_.write(write_, change, done)) return;
        one->failed = true;
        deposit(one);
    }

    void deposit(std::shared_ptr<Deposit> one) {
        {
            std::lock_guard lock(mutex_);
            deposited_ = std::move(one);
        }
        sender_.wake();
    }

    void take_deposited() {
        std::shared_ptr<Deposit> one;
        {
            std::lock_guard lock(mutex_);
            one = std::exchange(deposited_, nullptr);
        }
        if (!one) return;
        exchanging_ = false;
        if (one->failed) {
            report_again(one->exchange);
            exchanged_at_ = look_at_ = Steady::now() + pause_after_trouble;
            return;
        }
        look_at_ = Steady::now() + between_looks_;
        take_in(one->exchange);
    }

    db::Engine& engine_;
    const char* const write_;
    const Milliseconds between_looks_;
    const unsigned signing_threads_;
    std::thread thread_;
    std::atomic<bool> stopping_ = false, woken_ = true;
    std::mutex mutex_;
    std::shared_ptr<Deposit> deposited_;  // guarded by mutex_; everything below belongs to the thread
    bool exchanging_ = false;
    Steady::time_point exchanged_at_, look_at_;
};

}  // namespace server
