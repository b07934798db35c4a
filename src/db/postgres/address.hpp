// SPDX-License-Identifier: AGPL-3.0-or-later
// The address of a PostgreSQL server. It may name several hosts, of which the first that answers is used. All
// connections of the program share which one that is and which did not answer, so that each dead host costs
// time only once.
#pragma once
#include <libpq-fe.h>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace db {

struct ClosePostgres {
    void operator()(PGconn* connection) const { PQfinish(connection); }
};
using PostgresHandle = std::unique_ptr<PGconn, ClosePostgres>;

class PostgresAddress {
public:
    explicit PostgresAddress(std::string url);

    // Connects within `longest`; throws Outage. `look` is called several times a second and may abort the
    // attempt by throwing.
    PostgresHandle connect(std::chrono::milliseconds longest, const std::function<void()>& look);

private:
    using Clock = std::chrono::steady_clock;
    struct Host {
        std::string name, address, port;  // empty: as given in the address
        Clock::time_point silent_until;
    };

    std::vector<std::size_t> order();
    PostgresHandle begin(const Host&) const;
    void answered(std::size_t host);
    void silent(std::size_t host);

    const std::string url_;
    std::string trouble_;  // why the address cannot be parsed
    std::mutex mutex_;
    std::vector<Host> hosts_;
    std::size_t last_ = 0;  // the host that answered last
};

}  // namespace db
