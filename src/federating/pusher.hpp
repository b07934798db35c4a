// SPDX-License-Identifier: AGPL-3.0-or-later
// The thread that brings messages to push services: it leases rows of social/push/queue.hpp, has their texts found on a
// reader and encrypted by other threads, sends many at a time over connections that are kept, and writes down in batches
// what became of them. A service that does not answer delays no other.
#pragma once
#include "db/engine.hpp"
#include "federating/signing_pool.hpp"
#include "net/client/sender.hpp"
#include "social/push/request.hpp"

#include <atomic>
#include <deque>
#include <thread>
#include <unordered_map>

namespace server {

class Pusher {
public:
    Pusher(db::Engine&, net::HttpClientOptions, std::int64_t retry_ms);
    ~Pusher() { stop(); }

    void start();
    void stop();  // before the engine
    void wake();  // something was written; from any thread

    struct Counters {
        std::int64_t sent = 0, failed = 0, gone = 0, under_way = 0;
    };
    Counters counters() const;

private:
    using Steady = std::chrono::steady_clock;

    // Of where messages go. One that has answered is proven, until it fails often in a row; all others share few places,
    // however many they are.
    struct Standing {
        bool proven = false;
        int failures = 0;  // in a row
        Steady::time_point rests_until;
    };
    struct AtOrigin {
        Standing standing;
        std::deque<push::Message> waiting;
        int under_way = 0;
    };
    struct UnderWay {
        std::string origin;
        push::MessageId id;
        push::PushId subscription;
        std::int64_t attempts = 0;
        bool proven = false;  // which places it takes
    };
    // What the database answers.
    struct LoadedWork {
        push::Report report;
        push::Work work;
        push::Identity identity;
        std::vector<push::Message> messages;
        bool failed = false;
    };

    void loop();
    int capacity() const;
    bool wants_exchange() const;
    std::chrono::milliseconds patience() const;
    void exchange();
    void deposit(std::shared_ptr<LoadedWork>);
    void take_loaded();
    void take_in(LoadedWork&);
    bool know(const push::Identity&);
    void begin_some();
    bool may_begin(const AtOrigin&) const;
    void begin(const std::string& origin, AtOrigin&);
    void finish(net::Sender::Ended);
    void judge(AtOrigin&, bool answered);
    void give_back();
    void remember(const std::string& origin, const Standing&);

    db::Engine& engine_;
    net::Sender sender_;
    SigningPool signing_pool_{[this] { sender_.wake(); }};
    const std::int64_t retry_ms_;
    std::thread thread_;
    std::atomic<bool> stopping_ = false, woken_ = true;
    std::mutex mutex_;
    std::shared_ptr<LoadedWork> deposited_;  // guarded; all below belongs to the thread

    std::optional<push::VapidTokens> vapid_tokens_;
    std::unordered_map<std::string, AtOrigin> origins_;  // with messages
    std::unordered_map<std::string, Standing> known_;    // the others
    std::unordered_map<std::uint64_t, UnderWay> under_way_;
    push::Report report_;
    std::uint64_t last_tag_ = 0;
    int waiting_ = 0, unproven_waiting_ = 0, unproven_under_way_ = 0;
    bool exchanging_ = false;
    Steady::time_point exchanged_at_, look_at_;
    std::atomic<std::int64_t> sent_ = 0, failed_ = 0, gone_ = 0, busy_ = 0;
};

}  // namespace server
