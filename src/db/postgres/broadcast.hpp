// SPDX-License-Identifier: AGPL-3.0-or-later
// What nodes say to each other by LISTEN and NOTIFY, over a connection of its own. A notification takes its turn behind a
// lock of all databases when it is committed, so changes never carry one: what many commits have to say goes together, and
// is not waited for by anybody.
#pragma once
#include "base/broadcast.hpp"
#include "db/postgres_connection.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

namespace db {

class PostgresBroadcast final : public base::Broadcast {
public:
    explicit PostgresBroadcast(std::string url);
    ~PostgresBroadcast() override;

    void start(Ears) override;
    void stop() override;
    void say(std::string text) override;
    bool connected() const override { return connected_; }

private:
    using Clock = std::chrono::steady_clock;

    void loop();
    void connect();
    void converse();
    PostgresResult ask(const char* text);
    void speak(const std::vector<std::string>& texts);
    bool receive();  // true: what was said last has been taken
    // Until the server has something to say, somebody here has, or the time is over.
    void wait(std::chrono::milliseconds);
    [[noreturn]] void broken() const;

    PostgresAddress address_;
    Ears ears_;
    const int bell_;  // an eventfd
    PostgresHandle connection_;
    std::string channel_;
    std::thread thread_;
    std::atomic<bool> ending_ = false, connected_ = false;
    std::mutex mutex_;
    std::vector<std::string> texts_;  // to be said
};

}  // namespace db
