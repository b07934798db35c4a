// SPDX-License-Identifier: AGPL-3.0-or-later
// Runs job rows: leases those that are due, runs each, then removes it or schedules its next attempt. Also
// runs periodic work from a table. A few threads here wait for the engine, so that request threads never do;
// others wait for external services, so that a slow remote server delays only jobs of that kind.
#pragma once
#include "base/ask.hpp"
#include "db/engine.hpp"
#include "jobs/reactions.hpp"
#include "jobs/sessions.hpp"
#include "jobs/worker.hpp"

#include <atomic>
#include <cstdint>
#include <future>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>

namespace jobs {

struct JobRow {
    base::JobId id;
    std::string kind, payload;
    std::int64_t attempts = 0;
};
DESCRIBE(JobRow, id, kind, payload, attempts)

// Periodic work. It finds its own candidates and changes at most a few hundred rows per run. If it reads much
// to change little, `prepare` reads on a reader and returns the change, which may be empty, so that only the
// change occupies the writer.
struct Periodic {
    Periodic(std::string_view its_name, std::int64_t seconds, void (*f)(db::Write&))
        : name(its_name), every_seconds(seconds), run(f) {}
    Periodic(std::string_view its_name, std::int64_t seconds, Change (*f)(db::Read&))
        : name(its_name), every_seconds(seconds), prepare(f) {}

    std::string_view name;
    std::int64_t every_seconds;
    void (*run)(db::Write&) = nullptr;
    Change (*prepare)(db::Read&) = nullptr;
};

constexpr std::int64_t lease_seconds = 120;
// For jobs without external services: a killed node's jobs wait this long, and running twice has no double
// effect.
constexpr std::int64_t short_lease_seconds = 15;

// The steps of running a job, used by the runner and by tests that run jobs without threads.
std::vector<JobRow> lease_due(db::Write&, int at_most);
// Frees the leases of a node that is gone; "": all leases, when no other process runs jobs.
void release_leases(db::Write&, std::string_view node);
void finish(db::Write&, const Reactions&, const JobRow&);  // runs a `deferred` reaction and removes the row
void finish(db::Write&, const Change&, const JobRow&);     // the same for one that asked
void remove(db::Write&, base::JobId);
void retry_later(db::Write&, const JobRow&, const std::string& error);
void reschedule(db::Write&, const JobRow&, std::int64_t seconds);

class Runner {
public:
    // `making_room` names the jobs and periodic work that run even on a full disk (db/write_gate.hpp).
    Runner(
        db::Engine&, const Reactions&, const base::ExternalServices&, std::vector<Periodic>,
        std::vector<std::string> making_room = {}
    );
    ~Runner() { stop(); }
    void start(int threads = 2, int asking = 8);
    void stop();
    void wake();
    // Whether periodic work runs in this process; only one of several nodes does it.
    void lead(bool);
    std::int64_t failures() const { return failures_; }
    std::int64_t done() const { return done_; }
    std::int64_t periodic_runs() const { return periodic_runs_; }

private:
    Idle turn(bool asking);
    Idle turn_on_full_disk(bool asking);
    std::vector<JobRow> lease(bool asking, Idle& idle);
    std::vector<JobRow> lease_those_making_room(bool asking);
    bool makes_room(std::string_view name) const;
    void run(const JobRow&);
    void later(const std::function<void(db::Write&)>&);
    void run_asking(const JobRow&, const Reaction&);
    bool take_periodic();
    std::chrono::milliseconds until_periodic();

    const Sessions sessions_;
    const Reactions& reactions_;
    std::vector<Periodic> periodic_;
    std::vector<std::chrono::steady_clock::time_point> periodic_due_;
    std::vector<std::string> asking_, making_room_;
    // The change that a job computed in advance before it yielded to others.
    struct Ahead {
        std::string payload;
        std::chrono::steady_clock::time_point since;
        std::future<Change> found;
    };
    void keep_ahead(base::JobId, Ahead);
    std::optional<Ahead> found_ahead(const JobRow&);  // of this job, if recent
    std::mutex mutex_;
    std::map<base::JobId, Ahead> ahead_;
    std::atomic<std::int64_t> failures_ = 0, done_ = 0, periodic_runs_ = 0;
    std::atomic<bool> leads_ = true;
    Worker quick_, asking_ones_;
};

// When a failed job is retried: a table and a pure function.
constexpr std::int64_t retry_seconds[] = {1, 15, 60, 300, 1800, 7200, 21'600, 43'200, 86'400, 86'400, 86'400};

// Seconds to wait after the n-th failure (n from 1), or nullopt when the job is given up. `random` in [0, 1)
// spreads retries over a quarter of the delay, so that jobs that failed together are not retried together.
constexpr std::optional<std::int64_t> retry_after(std::int64_t failures, double random) {
    if (failures < 1 || failures > static_cast<std::int64_t>(std::size(retry_seconds))) return std::nullopt;
    auto delay = retry_seconds[failures - 1];
    return delay + static_cast<std::int64_t>(static_cast<double>(delay) * random / 4);
}

}  // namespace jobs
