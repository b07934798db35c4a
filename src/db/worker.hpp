// SPDX-License-Identifier: AGPL-3.0-or-later
// Shared by the engines of both databases: the items of their queues and how they are run.
#pragma once
#include "base/deadline.hpp"
#include "base/time.hpp"
#include "db/options.hpp"
#include "db/position.hpp"
#include "db/stats.hpp"
#include "db/write_gate.hpp"

#include <atomic>
#include <cstdint>
#include <exception>

namespace db {

struct ReadJob {
    std::function<void(Read&)> run;
    Position at_least = anything;
    base::Deadline until = base::Within::deadline();
};

struct Change {
    const char* name;
    std::function<void(Write&)> run;
    std::function<void(std::exception_ptr)> done;
    std::exception_ptr error = nullptr;
    base::Deadline until = base::Within::deadline();
    bool makes_room = MakingRoom::here();
    bool repeatable = Repeatable::here();
    bool late = false;  // its deadline ended it and with it the transaction it was part of
};

// Adds its own lifetime to a counter.
class ScopedTimer {
public:
    explicit ScopedTimer(std::atomic<std::int64_t>& total) : total_(total) {}
    ~ScopedTimer() { total_.fetch_add(so_far().count(), std::memory_order_relaxed); }
    ScopedTimer(const ScopedTimer&) = delete;
    std::chrono::microseconds so_far() const {
        return std::chrono::duration_cast<std::chrono::microseconds>(
            std::chrono::steady_clock::now() - begun_
        );
    }

private:
    std::atomic<std::int64_t>& total_;
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

// What the threads of an engine share: counters, and the callbacks of its options.
class EngineSupport {
public:
    EngineSupport(Options its_options, std::shared_ptr<WriteGate> its_gate)
        : options(std::move(its_options)), gate(std::move(its_gate)) {}

    const Options options;
    const std::shared_ptr<WriteGate> gate;  // without one, changes are always made
    Counters counters;
    std::atomic<bool> cancelled = false;

    // The context for a session that begins now.
    Context context() const;
    StatementObserver observe();
    // Adds more queued jobs, if any. Returns false when they need a newer snapshot than the open one.
    using More = std::function<bool(std::vector<ReadJob>&)>;
    // Runs the jobs, all of which were requested before now, in one snapshot, then those added by `more`,
    // until there are none. A job that throws, which it must not, is logged and dropped.
    void read(Connection&, std::vector<ReadJob>& jobs, const More& more = {});
    // Records the duration of a change that ends now.
    void note_time(
        const Change&, std::chrono::steady_clock::time_point begun, std::chrono::microseconds limit
    );
    // Whether the change is refused; if so, it has already been completed with an error.
    bool refuses(Change&);
    // Runs the change within its deadline. Throws base::TimedOut if that has passed before it starts, and
    // db::ReadOnly.
    void run(Change&, Write&) const;
    void announce(std::vector<Announcement>) const;
    void finish(Change&);

private:
    void look_at_failure(Change&) const;
};

// For the log.
std::string cause(const std::exception_ptr&);

// Time-ordered ids: milliseconds << 16 plus a sequence that starts at a random point in each millisecond, so
// that two nodes that write in the same one rarely collide. Strictly increasing, even when the clock goes
// back.
class IdSequence {
public:
    // All ids are multiples of the step, which is at most a few hundred.
    explicit IdSequence(std::int64_t step = 1) : step_(step) {}
    std::int64_t next(base::Time now);

private:
    const std::int64_t step_;
    std::atomic<std::int64_t> last_{0};
};

}  // namespace db
