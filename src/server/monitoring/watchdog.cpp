// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/monitoring/watchdog.hpp"

#include "base/deadline.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace server {

// Held by everything that has not responded yet; the last one to let go reports success.
struct Watchdog::Round {
    explicit Round(const net::Supervisor& to) : supervisor(to) {}
    ~Round() {
        if (!refused) supervisor.mention("WATCHDOG=1");
    }

    const net::Supervisor& supervisor;
    std::atomic<bool> refused = false;  // by a full queue, whose threads may be stuck
};

Watchdog::Watchdog(const net::Supervisor& supervisor, net::Server& server, db::Engine& engine)
    : supervisor_(supervisor), server_(server), engine_(engine) {}

void Watchdog::start() {
    const auto most = supervisor_.watchdog();
    if (most.count() == 0) return;
    thread_ = std::jthread([this, most](const std::stop_token& ended) {
        std::mutex mutex;
        std::condition_variable_any wake;
        std::unique_lock lock(mutex);
        while (!ended.stop_requested()) {
            ask();
            wake.wait_for(lock, ended, most / 4, [] { return false; });
        }
    });
}

void Watchdog::stop() { thread_ = {}; }

void Watchdog::ask() {
    if (!last_.expired()) return;
    const auto round = std::make_shared<Round>(supervisor_);
    last_ = round;
    constexpr std::chrono::seconds patience{5};  // if the database is unavailable
    const base::Within within(std::chrono::steady_clock::now() + patience);
    server_.on_each_thread([round] {});
    if (!engine_.read([round](db::Read&) {}, db::newest)) round->refused = true;
    auto change = [round](db::Write& db) { db.beside_others(); };
    if (!engine_.write("watchdog", change, [round](std::exception_ptr) {})) round->refused = true;
}

}  // namespace server
