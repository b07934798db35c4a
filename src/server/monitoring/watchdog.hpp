// SPDX-License-Identifier: AGPL-3.0-or-later
// Tells the supervisor that this process is alive, as long as every I/O thread, a reader and a writer of the
// database respond. The response that the database is unavailable counts too: a restart would not help.
#pragma once
#include "db/engine.hpp"
#include "net/local/supervisor.hpp"

#include <memory>
#include <thread>

namespace server {

class Watchdog {
public:
    Watchdog(const net::Supervisor&, net::Server&, db::Engine&);

    void start();  // does nothing without a watchdog
    void stop();

    struct Round;

private:
    void ask();

    const net::Supervisor& supervisor_;
    net::Server& server_;
    db::Engine& engine_;
    std::weak_ptr<Round> last_;
    std::jthread thread_;
};

}  // namespace server
