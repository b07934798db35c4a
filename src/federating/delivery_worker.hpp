// SPDX-License-Identifier: AGPL-3.0-or-later
// The thread that delivers activities to other servers: it leases hosts from the queue (federation/delivery/queue.hpp),
// has what is due there signed, sends many requests at a time and stores the outcomes in batches. While nothing is due it
// sleeps.
#pragma once
#include "ap/signatures/signature.hpp"
#include "db/engine.hpp"
#include "federating/signing_pool.hpp"
#include "net/client/sender.hpp"
#include "social/federation/delivery/queue.hpp"
#include "social/federation/keys/keys.hpp"

#include <atomic>
#include <deque>
#include <thread>
#include <unordered_map>

namespace server {

struct DeliveryWorkerOptions {
    federation::Pace pace;
    int poll_seconds = 15;  // looks for what other processes have written
};

class DeliveryWorker {
public:
    DeliveryWorker(db::Engine&, net::HttpClientOptions, DeliveryWorkerOptions);
    ~DeliveryWorker() { stop(); }

    void start();
    void stop();  // before the engine
    void wake();  // something was written; from any thread

    struct Counters {
        std::int64_t delivered = 0, refused = 0, failed = 0, under_way = 0;
    };
    Counters counters() const;

private:
    using Steady = std::chrono::steady_clock;

    struct OutgoingRequest {
        federation::Delivery delivery;
        std::string host;
        std::shared_ptr<const std::string> body;
        std::shared_ptr<const federation::Synchronization> followers;
        std::shared_ptr<const federation::SigningKey> key;
        federation::SignatureScheme signature_scheme = federation::SignatureScheme::draft;
        bool second = false;  // tried before, with the other signature scheme
    };
    struct AtHost {
        federation::SignatureScheme signature_scheme = federation::SignatureScheme::draft;
        bool failing = false;
        std::deque<OutgoingRequest> waiting;
        int under_way = 0;
        Steady::time_point begun;
    };
    // What the database answers: batches with everything that their requests need.
    struct LoadedWork {
        federation::Report report;
        federation::Work work;
        std::vector<OutgoingRequest> requests;
        bool failed = false;
    };

    void loop();
    void exchange();
    void load(db::Read&, LoadedWork&) const;
    void deposit(std::shared_ptr<LoadedWork>);
    void take_loaded();
    void begin_some();
    bool may_begin(const AtHost&) const;
    void finish(net::Sender::Ended);
    bool retry_with_other_scheme(OutgoingRequest&, const base::Fetched&);
    void settle(OutgoingRequest, const base::Fetched&);
    void release_host(const std::string& host);
    void send(OutgoingRequest, std::optional<ap::SignatureRequest> = {});
    // On another thread.
    static base::Fetch
    request(const OutgoingRequest&, const ap::PrivateKey&, const std::optional<ap::SignatureRequest>&);
    std::shared_ptr<const ap::PrivateKey> parsed(const federation::SigningKey&);
    federation::Capacity capacity() const;
    bool wants_exchange() const;
    std::chrono::milliseconds patience() const;

    db::Engine& engine_;
    net::Sender sender_;
    SigningPool signing_pool_{[this] { sender_.wake(); }};
    const DeliveryWorkerOptions options_;
    std::thread thread_;
    std::atomic<bool> stopping_ = false, woken_ = true;
    std::mutex mutex_;
    std::shared_ptr<LoadedWork> deposited_;  // guarded; all below belongs to the thread

    std::unordered_map<std::string, AtHost> hosts_;
    std::unordered_map<std::uint64_t, OutgoingRequest> under_way_;
    std::unordered_map<std::string, std::shared_ptr<const ap::PrivateKey>> keys_;  // by their text
    federation::Report report_;
    std::uint64_t last_tag_ = 0;
    int waiting_ = 0, failing_under_way_ = 0;
    bool exchanging_ = false;
    Steady::time_point exchanged_at_, look_at_;
    std::atomic<std::int64_t> delivered_ = 0, refused_ = 0, failed_ = 0, busy_ = 0;
};

}  // namespace server
