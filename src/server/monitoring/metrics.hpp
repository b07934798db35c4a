// SPDX-License-Identifier: AGPL-3.0-or-later
// What Prometheus reads. Requests are counted as they finish; everything else is looked at when asked. The values
// of labels come from our own tables, so their number is bounded.
#pragma once
#include "backup/keeper.hpp"
#include "db/stats.hpp"
#include "federating/delivery_worker.hpp"
#include "federating/pusher.hpp"
#include "http/router.hpp"
#include "net/s3/client.hpp"
#include "net/server.hpp"
#include "server/monitoring/process_figures.hpp"
#include "server/nodes.hpp"
#include "social/federation/delivery/hosts.hpp"
#include "social/streaming/hub.hpp"

#include <memory>
#include <optional>

namespace server {

// A look at the rest of the server.
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
    std::string version;
    std::optional<std::uint64_t> free_for_data, free_for_media;  // bytes
    std::optional<double> certificate_until;                     // of tls_cert; seconds since 1970
    struct Stored {
        std::int64_t jobs_waiting = 0, jobs_given_up = 0, bytes = 0;
        federation::QueueFigures queue;
        std::int64_t pushes_waiting = 0;
        double jobs_late = 0, inbox_late = 0;  // seconds since the oldest was due
    };
    std::optional<Stored> stored;  // nothing when the database could not be asked
};

class Meter {
public:
    explicit Meter(const http::Router&);
    ~Meter();

    void finished(const http::Route&, int status, double seconds);
    std::string page(const Sample&) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace server
