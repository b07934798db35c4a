// SPDX-License-Identifier: AGPL-3.0-or-later
// Tells who watches this process that it is alive: as long as each I/O thread, a reader and a writer of the database answer.
// An answer that says that the database is away is one, too: a restart would not bring it back.
#pragma once
#include "db/engine.hpp"
#include "net/local/supervisor.hpp"

#include <memory>
#include <thread>

namespace server {

class Watchdog {
public:
    Watchdog(const net::Supervisor&, net::Server&, db::Engine&);

    void start();  // does nothing where nobody watches
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
