// SPDX-License-Identifier: AGPL-3.0-or-later
// A server's measurements of its last day, in some tens of kilobytes, and conclusions from them: its current
// state, and why it is slow.
#pragma once
#include "config/config.hpp"
#include "server/monitoring/metrics.hpp"
#include "social/insight/vitals.hpp"

#include <deque>
#include <mutex>

namespace server {

struct Machine {
    std::int64_t readers = 1, writers = 1, cores = 1, cpu_threads = 1;
};

Machine machine_of(const Config&);

class VitalsWatch {
public:
    explicit VitalsWatch(Machine machine) : machine_(machine) {}

    // Call about every ten seconds, on one thread.
    void count(const Sample&, std::vector<Meter::Cost>, base::Time now);

    // Computed from the measurements, without what only the database knows. Thread-safe.
    insight::Vitals vitals(const Sample&, const std::vector<Meter::Cost>&, base::Time now) const;

private:
    // Monotonic counters.
    struct Counted {
        base::Time at;
        std::uint64_t answered = 0, failed = 0, changes = 0, commits = 0, refused = 0;
        std::int64_t jobs = 0, job_failures = 0, deliveries = 0;
        double writing = 0, reading = 0, committing = 0, cpu = 0;  // seconds
    };
    struct Costs {
        base::Time at;
        std::vector<Meter::Cost> all;
    };
    static Counted counted(const Sample&, base::Time now);
    insight::Rates rates(const Counted& from, const Counted& to) const;
    void keep_hour(const Counted& from, const Counted& to);
    std::vector<insight::RouteCost> routes(const std::vector<Meter::Cost>&) const;
    std::vector<insight::Trouble> why_slow(const insight::Vitals&) const;

    const Machine machine_;
    mutable std::mutex mutex_;
    std::deque<Counted> minute_;             // of the last minute
    std::optional<Counted> hour_from_;       // hours_ is complete up to here
    std::deque<insight::HourVitals> hours_;  // latest first
    Costs before_, lately_;
};

}  // namespace server
