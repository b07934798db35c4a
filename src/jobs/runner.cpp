// SPDX-License-Identifier: AGPL-3.0-or-later
#include "jobs/runner.hpp"

#include "base/deadline.hpp"
#include "base/log.hpp"
#include "db/lock.hpp"
#include "db/write_gate.hpp"
#include "jobs/reactions.hpp"
#include "jobs/steps.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <random>

namespace jobs {

const db::Query<JobRow> lease_jobs{
    "lease_jobs",
    R"(UPDATE jobs SET leased_until = $2, leased_by = $4 WHERE id IN (
           SELECT id FROM jobs WHERE run_at <= $1 AND leased_until < $1 ORDER BY run_at, id LIMIT $3
           FOR UPDATE SKIP LOCKED)
       RETURNING id, kind, payload, attempts)"
};

const db::Command release_jobs{"release_jobs", "UPDATE jobs SET leased_until = 0 WHERE " LEASED_BY("$1")};

void release_leases(db::Write& db, std::string_view node) {
    db.run(release_jobs, node);
    db.announce({std::string(wake_channel), {}, {}});
}

std::vector<JobRow> lease_due(db::Write& db, int at_most) {
    return db.all(lease_jobs, db.now(), db.now().plus_seconds(lease_seconds), at_most, db.node());
}

// The same, only for jobs with external services, or only for the others.
const db::Query<JobRow> lease_jobs_by_kind{
    "lease_jobs_by_kind",
    R"(UPDATE jobs SET leased_until = $2, leased_by = $6 WHERE id IN (
           SELECT id FROM jobs WHERE run_at <= $1 AND leased_until < $1
               AND (kind IN LIST($4)) = $5 ORDER BY run_at, id LIMIT $3
           FOR UPDATE SKIP LOCKED)
       RETURNING id, kind, payload, attempts)"
};

const db::Query<base::Time> next_job_due{
    "next_job_due", "SELECT run_at FROM jobs WHERE run_at > $1 ORDER BY run_at LIMIT 1"
};

const db::Command delete_job{"delete_job", "DELETE FROM jobs WHERE id = $1"};

void remove(db::Write& db, base::JobId id) { db.run(delete_job, id); }

void finish(db::Write& db, const Reactions& reactions, const JobRow& job) {
    auto* reaction = reactions.by_name(job.kind);
    if (reaction && reaction->beside) db.beside_others();
    // If the row is gone, another node ran the job after its lease expired: do not run it twice.
    if (db.run(delete_job, job.id) != 0 && reaction) reaction->run(db, job.payload);
}

// If the payload differs, another node took the job after its lease expired and continues it.
const db::Command delete_unchanged_job{
    "delete_unchanged_job", "DELETE FROM jobs WHERE id = $1 AND payload = $2"
};

void finish(db::Write& db, const Change& change, const JobRow& job) {
    if (db.run(delete_unchanged_job, job.id, job.payload) != 0 && change) change(db);
}

const db::Command keep_job{
    "keep_job", "UPDATE jobs SET leased_until = $3 WHERE id = $1 AND payload = $2 AND leased_until > 0"
};
const db::Command advance_job{
    "advance_job", "UPDATE jobs SET payload = $2, attempts = 0, error = NULL WHERE id = $1"
};

bool go_on(db::Write& db, Stepwise& steps, JobRow& job) {
    // If the payload differs, another node took the job after its lease expired.
    if (db.run(keep_job, job.id, job.payload, db.now().plus_seconds(short_lease_seconds)) == 0) return false;
    auto left = steps.take(db);
    if (!left) return remove(db, job.id), false;
    job.payload = *std::move(left);
    db.run(advance_job, job.id, job.payload);
    return true;
}

const db::Command postpone_job{
    "postpone_job",
    "UPDATE jobs SET attempts = attempts + 1, run_at = $2, leased_until = 0, error = $3 WHERE id = $1"
};

void retry_later(db::Write& db, const JobRow& job, const std::string& error) {
    thread_local std::minstd_rand random{std::random_device{}()};
    auto delay = retry_after(job.attempts + 1, std::uniform_real_distribution<>(0, 1)(random));
    // Given up: the row remains for the operator to see, but never becomes due.
    constexpr std::int64_t never = 253'402'300'799'999;
    db.run(postpone_job, job.id, delay ? db.now().plus_seconds(*delay) : base::Time{never}, error);
}

const db::Command reschedule_job{
    "reschedule_job", "UPDATE jobs SET run_at = $2, leased_until = 0 WHERE id = $1"
};

void reschedule(db::Write& db, const JobRow& job, std::int64_t seconds) {
    db.run(reschedule_job, job.id, db.now().plus_seconds(seconds));
}

namespace {

// Requests do not wait for jobs. The delay lets their responses go out before the jobs use the processors,
// and lets jobs of several requests be leased together.
constexpr std::chrono::milliseconds moment{15};

}  // namespace

Runner::Runner(
    db::Engine& engine, const Reactions& reactions, const base::ExternalServices& services,
    std::vector<Periodic> periodic, std::vector<std::string> making_room
)
    : sessions_(sessions(engine, services)),
      reactions_(reactions),
      periodic_(std::move(periodic)),
      periodic_due_(periodic_.size()),
      asking_(reactions.asking()),
      making_room_(std::move(making_room)),
      quick_(
          "jobs", [this] { return turn(false); }, moment
      ),
      asking_ones_("jobs that ask", [this] { return turn(true); }) {}

void Runner::start(int threads, int asking) {
    quick_.start(threads);
    asking_ones_.start(asking);
}

void Runner::stop() {
    asking_ones_.end();
    quick_.stop();
    asking_ones_.stop();
    std::map<base::JobId, Ahead> left;  // destroyed after the lock: may block until computed
    const std::lock_guard lock(mutex_);
    left.swap(ahead_);
}

void Runner::wake() {
    quick_.wake();
    asking_ones_.wake();
}

void Runner::lead(bool leads) {
    if (leads_.exchange(leads) != leads && leads) quick_.wake();
}

std::vector<JobRow> Runner::lease(bool asking, Idle& idle) {
    std::vector<JobRow> jobs;
    // A job with external services may take as long as its lease, so only one is leased at a time.
    const int at_most = asking ? 1 : 16;
    sessions_.change("lease_jobs", [&](db::Write& db) {
        db.beside_others();
        const auto now = db.now();
        idle.reset();
        const auto until = now.plus_seconds(asking ? lease_seconds : short_lease_seconds);
        jobs = db.all(lease_jobs_by_kind, now, until, at_most, asking_, asking, db.node());
        if (!jobs.empty()) return;
        const auto next = db.maybe(next_job_due, now);
        idle = next ? std::chrono::milliseconds(next->ms - now.ms) : WorkSignal::longest;
    });
    if (std::ssize(jobs) == at_most) (asking ? asking_ones_ : quick_).wake();
    return jobs;
}

Idle Runner::turn(bool asking) {
    // A job's row exists until it is done, so a lost commit only repeats it. Jobs with external services do
    // wait for the disk, so that they do not make requests twice.
    const db::Repeatable repeatable(!asking);
    try {
        while (!asking && take_periodic()) {}
        Idle idle;
        for (const auto& job : lease(asking, idle)) run(job);
        return idle && !asking ? std::min(*idle, until_periodic()) : idle;
    } catch (const db::ReadOnly&) {
        return turn_on_full_disk(asking);
    }
}

bool Runner::makes_room(std::string_view name) const {
    return std::ranges::find(making_room_, name) != making_room_.end();
}

std::vector<JobRow> Runner::lease_those_making_room(bool asking) {
    std::vector<std::string> kinds;
    for (const auto& kind : making_room_)
        if ((std::ranges::find(asking_, kind) != asking_.end()) == asking) kinds.push_back(kind);
    std::vector<JobRow> jobs;
    sessions_.change("lease_jobs", [&](db::Write& db) {
        db.beside_others();
        const auto until = db.now().plus_seconds(asking ? lease_seconds : short_lease_seconds);
        jobs = db.all(lease_jobs_by_kind, db.now(), until, 1, kinds, true, db.node());
    });
    return jobs;
}

// If nothing at all may be written, this throws like the turn before, and the worker waits.
Idle Runner::turn_on_full_disk(bool asking) {
    const db::MakingRoom making_room;
    const auto jobs = lease_those_making_room(asking);
    for (const auto& job : jobs) run(job);
    return jobs.empty() ? Idle(std::chrono::seconds(1)) : std::nullopt;
}

void Runner::run(const JobRow& job) {
    try {
        auto* reaction = reactions_.by_name(job.kind);
        if (reaction && reaction->ask) run_asking(job, *reaction);
        else
            sessions_.change(reaction ? reaction->name.data() : "run_job", [&](db::Write& db) {
                finish(db, reactions_, job);
            });
        ++done_;
    } catch (const base::Stopping&) {
        later([&](db::Write& db) { reschedule(db, job, 0); });
    } catch (const Reschedule& pause) {
        later([&](db::Write& db) { reschedule(db, job, pause.seconds); });
    } catch (const db::ReadOnly&) {
        // Nothing was done; the job runs again when its lease expires.
    } catch (const std::exception& e) {
        ++failures_;
        std::string cause = e.what();
        base::log_warning("a job failed", {{"kind", job.kind}, {"cause", cause}});
        later([&](db::Write& db) { retry_later(db, job, cause); });
    }
}

void Runner::later(const std::function<void(db::Write&)>& f) {
    try {
        sessions_.change("postpone_job", [&](db::Write& db) {
            db.beside_others();
            f(db);
        });
    } catch (const std::exception&) {
        // The job runs again when its lease expires.
    }
}

namespace {

bool take_step(const Sessions& sessions, const Reaction& reaction, Stepwise& steps, JobRow& job) {
    bool more = false;
    auto next = steps;
    auto row = job;
    sessions.change(reaction.name.data(), [&](db::Write& db) {
        next = steps;
        row = job;
        if (reaction.beside) db.beside_others();
        more = go_on(db, next, row);
    });
    steps = std::move(next);
    job = std::move(row);
    return more;
}

// After longest_run, a job of many chunks yields to others. What it computed in advance is valid for
// found_lasts.
constexpr std::chrono::milliseconds longest_run{250}, found_lasts{5000};

}  // namespace

void Runner::keep_ahead(base::JobId id, Ahead ahead) {
    const std::lock_guard lock(mutex_);
    const auto oldest = ahead.since - found_lasts;
    // Destroying one that is still being computed would block.
    std::erase_if(ahead_, [&](const auto& one) {
        const auto& [since, found] = std::tie(one.second.since, one.second.found);
        return since < oldest && found.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    });
    ahead_.emplace(id, std::move(ahead));  // whoever leased the job has removed an earlier entry
}

std::optional<Runner::Ahead> Runner::found_ahead(const JobRow& job) {
    decltype(ahead_)::node_type kept;  // destroyed after the lock is released
    {
        const std::lock_guard lock(mutex_);
        kept = ahead_.extract(job.id);
    }
    if (!kept || kept.mapped().payload != job.payload) return std::nullopt;
    if (kept.mapped().since < std::chrono::steady_clock::now() - found_lasts) return std::nullopt;
    return std::move(kept.mapped());
}

void Runner::run_asking(const JobRow& job, const Reaction& reaction) {
    const auto found = [this, &reaction](const std::string& payload) {
        return sessions_.ask(
            [&](const base::Ask& ask, db::Read& db) { return reaction.ask(ask, db, payload); },
            base::max_rounds
        );
    };
    const auto begun = std::chrono::steady_clock::now();
    auto before = found_ahead(job);
    auto wanted = before ? before->found.get() : found(job.payload);
    auto row = job;
    while (const auto* steps = wanted.target<Stepwise>()) {
        auto left = *steps;
        // A reader computes the next part while the writer works.
        std::future<Change> ahead;
        const auto next = left.next();
        if (next) ahead = std::async(std::launch::async, found, *next);
        const auto since = std::chrono::steady_clock::now();
        while (!left.over()) {
            if (!take_step(sessions_, reaction, left, row)) return;
            if (quick_.stopping()) throw base::Stopping();
        }
        if (!next || since - begun >= longest_run) {
            if (next) keep_ahead(row.id, {*next, since, std::move(ahead)});
            throw Reschedule(0);
        }
        wanted = ahead.get();
    }
    sessions_.change(reaction.name.data(), [&](db::Write& db) {
        if (reaction.beside) db.beside_others();
        finish(db, wanted, row);
    });
}

bool Runner::take_periodic() {
    if (quick_.stopping() || !leads_) return false;
    const Periodic* due = nullptr;
    {
        std::lock_guard lock(mutex_);
        const auto now = std::chrono::steady_clock::now();
        for (std::size_t i = 0; i < periodic_.size() && !due; ++i) {
            if (periodic_due_[i] > now) continue;
            periodic_due_[i] = now + std::chrono::seconds(periodic_[i].every_seconds);
            due = &periodic_[i];
        }
    }
    if (!due) return false;
    ++periodic_runs_;
    std::optional<db::MakingRoom> making_room;
    if (makes_room(due->name)) making_room.emplace();
    Change wanted = due->run;
    if (due->prepare) sessions_.look([&](db::Read& db) { wanted = due->prepare(db); });
    try {
        if (wanted) sessions_.change(due->name.data(), wanted);
    } catch (const db::ReadOnly&) {
        const std::lock_guard lock(mutex_);
        const auto again = std::chrono::steady_clock::now() + std::chrono::seconds(5);
        periodic_due_[static_cast<std::size_t>(due - periodic_.data())] = again;
    }
    return true;
}

std::chrono::milliseconds Runner::until_periodic() {
    std::lock_guard lock(mutex_);
    if (periodic_due_.empty() || !leads_) return WorkSignal::longest;
    const auto left = std::ranges::min(periodic_due_) - std::chrono::steady_clock::now();
    return std::chrono::ceil<std::chrono::milliseconds>(left);
}

}  // namespace jobs
