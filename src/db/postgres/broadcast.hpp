// SPDX-License-Identifier: AGPL-3.0-or-later
// Messages between nodes by LISTEN and NOTIFY, over a separate connection. A commit with a notification takes
// a lock that is shared by all databases of the server, so changes never notify: messages are sent in
// batches, and nobody waits for them.
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
    bool receive();  // true: the last batch was accepted
    // Waits until the server sends something, a message is queued here, or the time is over.
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
    std::vector<std::string> texts_;  // to be sent
};

}  // namespace db
