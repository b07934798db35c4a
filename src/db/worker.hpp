// SPDX-License-Identifier: AGPL-3.0-or-later
// What the engines of both databases share: the items of their queues and how one is run.
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
    bool late = false;  // its deadline ended it, and with it the transaction that it was in
};

// Adds the time of its life to a counter.
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
    const std::shared_ptr<WriteGate> gate;  // without it changes are always made
    Counters counters;
    std::atomic<bool> cancelled = false;

    // What a session that begins now is handed.
    Context context() const;
    StatementObserver observe();
    // Puts further jobs in, if any wait. False when the snapshot that is open does not do for them.
    using More = std::function<bool(std::vector<ReadJob>&)>;
    // Runs the jobs, all of them asked for before now, in one snapshot, then what `more` gives, until it gives nothing.
    // One that throws against the contract is logged and dropped.
    void read(Connection&, std::vector<ReadJob>& jobs, const More& more = {});
    // Of a change that ends now.
    void note_time(
        const Change&, std::chrono::steady_clock::time_point begun, std::chrono::microseconds limit
    );
    // Whether it is not made at all: then it has ended by now.
    bool refuses(Change&);
    // Runs the change within its time; throws base::TimedOut when that was over before, and db::ReadOnly.
    void run(Change&, Write&) const;
    void announce(std::vector<Announcement>) const;
    void finish(Change&);

private:
    void look_at_failure(Change&) const;
};

// For the log.
std::string cause(const std::exception_ptr&);

// Time-ordered ids: milliseconds << 16 plus a sequence that starts at a random point of each millisecond, so that
// two nodes that write in the same one rarely meet. Strictly growing, also when the clock goes back.
class IdSequence {
public:
    // All are multiples of the step, which is not more than a few hundred.
    explicit IdSequence(std::int64_t step = 1) : step_(step) {}
    std::int64_t next(base::Time now);

private:
    const std::int64_t step_;
    std::atomic<std::int64_t> last_{0};
};

}  // namespace db
