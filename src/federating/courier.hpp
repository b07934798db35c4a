// SPDX-License-Identifier: AGPL-3.0-or-later
// The thread that brings activities to other servers: it leases hosts from the queue (federation/delivery/queue.hpp), has signed
// what is due there, sends many at a time and writes down in batches what became of it. While nothing is due it sleeps.
#pragma once
#include "ap/signatures/signature.hpp"
#include "db/engine.hpp"
#include "federating/signers.hpp"
#include "net/client/sender.hpp"
#include "social/federation/delivery/queue.hpp"
#include "social/federation/keys/keys.hpp"

#include <atomic>
#include <deque>
#include <thread>
#include <unordered_map>

namespace server {

struct CourierOptions {
    federation::Pace pace;
    int poll_seconds = 15;  // looks for what other processes have written
};

class Courier {
public:
    Courier(db::Engine&, net::HttpClientOptions, CourierOptions);
    ~Courier() { stop(); }

    void start();
    void stop();  // before the engine
    void wake();  // something was written; from any thread

    struct Counters {
        std::int64_t delivered = 0, refused = 0, failed = 0, under_way = 0;
    };
    Counters counters() const;

private:
    using Steady = std::chrono::steady_clock;

    struct Letter {
        federation::Delivery delivery;
        std::string host;
        std::shared_ptr<const std::string> body;
        std::shared_ptr<const federation::Synchronization> followers;
        std::shared_ptr<const federation::SigningKey> key;
        federation::Knock knock = federation::Knock::draft;
        bool second = false;  // knocked before, in the other form
    };
    struct AtHost {
        federation::Knock knock = federation::Knock::draft;
        bool sick = false;
        std::deque<Letter> waiting;
        int under_way = 0;
        Steady::time_point begun;
    };
    // What the database answers: rounds with everything that their letters need.
    struct Parcel {
        federation::Report report;
        federation::Work work;
        std::vector<Letter> letters;
        bool failed = false;
    };

    void loop();
    void exchange();
    void load(db::Read&, Parcel&) const;
    void deposit(std::shared_ptr<Parcel>);
    void take_parcel();
    void begin_some();
    bool may_begin(const AtHost&) const;
    void finish(net::Sender::Ended);
    bool knock_again(Letter&, const base::Fetched&);
    void settle(Letter, const base::Fetched&);
    void leave(const std::string& host);
    void send(Letter, std::optional<ap::SignatureWish> = {});
    // On another thread.
    static base::Fetch request(const Letter&, const ap::PrivateKey&, const std::optional<ap::SignatureWish>&);
    std::shared_ptr<const ap::PrivateKey> parsed(const federation::SigningKey&);
    federation::Room room() const;
    bool wants_exchange() const;
    std::chrono::milliseconds patience() const;

    db::Engine& engine_;
    net::Sender sender_;
    Signers signers_{[this] { sender_.wake(); }};
    const CourierOptions options_;
    std::thread thread_;
    std::atomic<bool> stopping_ = false, woken_ = true;
    std::mutex mutex_;
    std::shared_ptr<Parcel> deposited_;  // guarded; all below belongs to the thread

    std::unordered_map<std::string, AtHost> hosts_;
    std::unordered_map<std::uint64_t, Letter> under_way_;
    std::unordered_map<std::string, std::shared_ptr<const ap::PrivateKey>> keys_;  // by their text
    federation::Report report_;
    std::uint64_t last_tag_ = 0;
    int waiting_ = 0, sick_under_way_ = 0;
    bool exchanging_ = false;
    Steady::time_point exchanged_at_, look_at_;
    std::atomic<std::int64_t> delivered_ = 0, refused_ = 0, failed_ = 0, busy_ = 0;
};

}  // namespace server
