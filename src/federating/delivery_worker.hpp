// SPDX-License-Identifier: AGPL-3.0-or-later
// The thread that delivers activities to other servers: it leases hosts from the queue
// (federation/delivery/queue.hpp) and sends them what is due.
#pragma once
#include "ap/signatures/signature.hpp"
#include "federating/sending_thread.hpp"
#include "social/federation/delivery/queue.hpp"
#include "social/federation/keys/keys.hpp"

#include <deque>
#include <unordered_map>

namespace server {

struct DeliveryWorkerOptions {
    federation::Pace pace;
    int poll_seconds = 15;  // interval for finding what other processes wrote
};

struct OutgoingRequest {
    federation::Delivery delivery;
    std::string host;
    std::shared_ptr<const std::string> body;
    std::shared_ptr<const federation::Synchronization> followers;
    std::shared_ptr<const federation::SigningKey> key;
    federation::SignatureScheme signature_scheme = federation::SignatureScheme::draft;
    bool second = false;  // already tried with the other signature scheme
};

// Batches of hosts, with all data for their requests.
struct DeliveryExchange {
    federation::Report report;
    federation::Capacity capacity;
    federation::Work work;
    std::vector<OutgoingRequest> requests;
};

class DeliveryWorker final : public SendingThread<DeliveryExchange> {
public:
    DeliveryWorker(db::Engine&, net::HttpClientOptions, DeliveryWorkerOptions);
    ~DeliveryWorker() override { stop(); }

    struct Counters {
        std::int64_t delivered = 0, refused = 0, failed = 0, under_way = 0;
    };
    Counters counters() const;

private:
    struct AtHost {
        federation::SignatureScheme signature_scheme = federation::SignatureScheme::draft;
        bool failing = false;
        std::deque<OutgoingRequest> waiting;
        int under_way = 0;
        Steady::time_point begun;
    };
    std::size_t outcomes() const override { return report_.outcomes.size(); }
    bool has_report() const override { return !report_.outcomes.empty() || !report_.finished.empty(); }
    void take_report(DeliveryExchange&) override;
    void report_again(DeliveryExchange&) override;
    void take_in(DeliveryExchange&) override;
    void begin_some() override;
    void finish(net::Sender::Ended) override;
    bool is_under_way() const override { return !under_way_.empty(); }
    void give_up() override;
    void turned() override { busy_ = static_cast<std::int64_t>(under_way_.size()); }
    void exchange(db::Write&, DeliveryExchange&) override;
    bool has_leased(const DeliveryExchange& one) const override { return !one.work.batches.empty(); }
    void load(db::Read&, DeliveryExchange&) const override;
    void drop_leased(DeliveryExchange& one) const override { one.requests.clear(); }

    bool may_begin(const AtHost&) const;
    bool retry_with_other_scheme(OutgoingRequest&, const base::Fetched&);
    void settle(OutgoingRequest, const base::Fetched&);
    void release_host(const std::string& host);
    void send(OutgoingRequest, std::optional<ap::SignatureRequest> = {});
    // Runs on another thread.
    static base::Fetch
    request(const OutgoingRequest&, const ap::PrivateKey&, const std::optional<ap::SignatureRequest>&);
    std::shared_ptr<const ap::PrivateKey> parsed(const federation::SigningKey&);
    federation::Capacity capacity() const;

    const DeliveryWorkerOptions options_;
    std::unordered_map<std::string, AtHost> hosts_;
    std::unordered_map<std::uint64_t, OutgoingRequest> under_way_;
    std::unordered_map<std::string, std::shared_ptr<const ap::PrivateKey>> keys_;  // by their PEM text
    federation::Report report_;
    std::uint64_t last_tag_ = 0;
    int waiting_ = 0, failing_under_way_ = 0;
    std::atomic<std::int64_t> delivered_ = 0, refused_ = 0, failed_ = 0, busy_ = 0;
};

}  // namespace server
