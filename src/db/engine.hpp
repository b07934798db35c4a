// SPDX-License-Identifier: AGPL-3.0-or-later
// An engine runs functions in sessions. In the server it has threads and bounded queues; in tests it runs
// everything immediately on one connection.
#pragma once
#include "base/site.hpp"
#include "db/position.hpp"
#include "db/session.hpp"
#include "db/stats.hpp"

#include <exception>
#include <functional>
#include <memory>
#include <span>

namespace db {

// Reads and changes inherit the deadline of the thread that requested them (base/deadline.hpp): a statement
// that is still running at the deadline ends with base::TimedOut.
class Engine {
public:
    virtual ~Engine() = default;

    // Runs `job` on a reader inside one snapshot. The job must not throw. Returns false when the queue is
    // full: the caller should refuse the request. A replica is used only if it has replayed up to `at_least`.
    virtual bool read(std::function<void(Read&)> job, Position at_least = anything) = 0;

    // Runs `change` in a transaction (SQLite: in a savepoint of the current group), then calls `done`: with
    // nullptr after the commit, or with the exception if the change was undone. PostgreSQL may run `change`
    // several times. Returns false when the queue is full. `name` is logged when the change is slow.
    virtual bool write(
        const char* name, std::function<void(Write&)> change, std::function<void(std::exception_ptr)> done
    ) = 0;

    // Like write(), for a change that calls beside_others(), waits for no result and touches no rows that
    // other changes touch: changes that queue up while others are running share one transaction. If one
    // fails, each is run by itself.
    virtual bool write_together(
        const char* name, std::function<void(Write&)> change, std::function<void(std::exception_ptr)> done
    ) {
        return write(name, std::move(change), std::move(done));
    }

    // To be called in `done`: the position that a later read must have reached to see the change. `newest`
    // where positions are not tracked.
    virtual Position position() const { return newest; }
};

// An engine with threads (created by open.hpp).
class RunningEngine : public Engine {
public:
    // Throws when the database cannot be opened or prepared.
    virtual void start() = 0;
    // Refuses new work, finishes what is queued, joins the threads. Writers stop before readers, so that a
    // `done` can still post a read.
    virtual void stop() = 0;
    // For a shutdown that cannot wait: running statements and everything queued end with base::TimedOut.
    // Callable from any thread.
    virtual void cancel() = 0;
    virtual Stats stats() const = 0;
};

// Blocking variants, for threads that have nothing else to do.

// Runs the change and waits for its result; throws what it threw, and Unavailable when the queue is full.
void write_and_wait(Engine&, const char* name, const std::function<void(Write&)>&);

// Reads from the primary; throws the same.
void read_and_wait(Engine&, const std::function<void(Read&)>&);
// Runs several reads in parallel, each in its own snapshot. Waits for all of them even if one fails.
void read_and_wait(Engine&, std::span<const std::function<void(Read&)>>);

// The site's settings, where they change while the server runs. A session keeps the settings that were
// current when the engine began it, so that one request sees only one version. Old versions are kept, because
// sessions may still refer to them.

// Sets the version for every new session of this process; nullptr: each uses the one it was opened with.
void use_site(std::unique_ptr<const base::Site>);
// Returns `opened_with` while use_site has set nothing.
const base::Site& site_now(const base::Site& opened_with);

}  // namespace db
