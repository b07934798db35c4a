// SPDX-License-Identifier: AGPL-3.0-or-later
// The metrics for Prometheus. Requests are counted as they finish; everything else is read on demand. Label
// values come from our own tables, so their number is bounded.
#pragma once
#include "backup/keeper.hpp"
#include "db/session.hpp"
#include "db/stats.hpp"
#include "federating/delivery_worker.hpp"
#include "federating/pusher.hpp"
#include "http/router.hpp"
#include "net/s3/client.hpp"
#include "net/server.hpp"
#include "server/checks/certificates.hpp"
#include "server/monitoring/builds.hpp"
#include "server/monitoring/process_figures.hpp"
#include "server/nodes/nodes.hpp"
#include "social/federation/delivery/hosts.hpp"
#include "social/streaming/hub.hpp"

#include <atomic>
#include <memory>
#include <optional>

namespace prometheus {
struct MetricFamily;
}

namespace server {

// A snapshot of the rest of the server.
struct Sample {
    db::Stats database;
    net::Counters network;
    std::size_t cpu_waiting = 0;
    std::int64_t job_failures = 0, jobs_done = 0, periodic_runs = 0;
    DeliveryWorker::Counters deliveries;
    Pusher::Counters pushes;
    streaming::Figures streams;
    NodeFigures nodes;
    std::optional<backup::Keeper::Figures> backup;
    struct Bucket {
        net::s3::Figures client;
        std::uint64_t cached = 0;  // bytes
    };
    std::optional<Bucket> bucket;
    ProcessFigures process;
    std::uint64_t answered = 0, failed = 0;  // requests, and those with status 500 and above
    std::int64_t mails_sent = 0, mails_failed = 0, mails_failed_in_a_row = 0;
    std::string mail_failure;  // the last one
    std::string version;
    std::optional<std::uint64_t> free_for_data, free_for_media;  // bytes
    std::optional<Validity> certificate;                         // the one used by HTTPS
    struct Stored {
        std::int64_t jobs_waiting = 0, jobs_given_up = 0, bytes = 0;
        federation::QueueFigures queue;
        std::int64_t pushes_waiting = 0;
        double jobs_late = 0, inbox_late = 0;  // seconds since the oldest was due
        std::vector<Build> builds;             // only for metrics requests
    };
    std::optional<Stored> stored;  // nullopt if the database could not be queried
};

// Values that only the database knows (stored.cpp). Lateness: for how many seconds the oldest has been due.
struct Lateness {
    double jobs = 0, inbox = 0;
};
Lateness lateness(db::Read&);
Sample::Stored stored_figures(db::Read&);

void add_families(std::vector<prometheus::MetricFamily>&, const Sample&);  // all but the requests of each route

class Meter {
public:
    explicit Meter(const http::Router&);
    ~Meter();

    void finished(const http::Route&, int status, double seconds);
    struct Cost {
        const http::Route* route = nullptr;
        std::uint64_t requests = 0, failed = 0;
        double seconds = 0;
    };
    std::vector<Cost> costs() const;  // of routes that were requested since the start
    std::uint64_t answered() const { return answered_; }
    std::uint64_t failed() const { return failed_; }
    std::string page(const Sample&) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
    std::atomic<std::uint64_t> answered_ = 0, failed_ = 0;
};

}  // namespace server
