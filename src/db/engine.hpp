// SPDX-License-Identifier: AGPL-3.0-or-later
// Who runs functions over sessions. A server has threads and bounded queues behind this; the test stage runs
// everything at once on one connection.
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

// What is read and changed has the deadline of the thread that asked for it (base/deadline.hpp): a statement that runs
// when it is over ends with base::TimedOut.
class Engine {
public:
    virtual ~Engine() = default;

    // Runs `job` on a reader inside one snapshot. False when the queue is full: refuse the request. The job
    // must not throw. Where a replica serves, it does so only when it has come as far as `at_least`.
    virtual bool read(std::function<void(Read&)> job, Position at_least = anything) = 0;

    // Runs `change` inside a transaction (SQLite: a savepoint of the current group), then calls `done`: with
    // nothing after the commit, or with what was thrown when the change was undone. PostgreSQL may run `change`
    // several times. False when the queue is full. `name` appears in the log when it takes long.
    virtual bool write(
        const char* name, std::function<void(Write&)> change, std::function<void(std::exception_ptr)> done
    ) = 0;

    // The same for a change that says beside_others(), waits for no answer and meets no row of another: of those that come
    // while others are under way many are one transaction. Where one fails, each is made by itself.
    virtual bool write_together(
        const char* name, std::function<void(Write&)> change, std::function<void(std::exception_ptr)> done
    ) {
        return write(name, std::move(change), std::move(done));
    }

    // In `done`: how far whoever reads must look to see the change. `newest` where nobody counts that.
    virtual Position position() const { return newest; }
};

// An engine with threads (open.hpp makes them).
class RunningEngine : public Engine {
public:
    // Throws when the database cannot be opened or prepared.
    virtual void start() = 0;
    // Refuses what comes from now on, finishes what waits, joins the threads. Writers end before readers, so that
    // a `done` can still post a read.
    virtual void stop() = 0;
    // For an end that cannot wait: statements that run, and all that wait, end with base::TimedOut. From any thread.
    virtual void cancel() = 0;
    virtual Stats stats() const = 0;
};

// For threads that have nothing else to do.

// Makes the change and waits for its end; throws what it threw, and Unavailable when the queue is full.
void write_and_wait(Engine&, const char* name, const std::function<void(Write&)>&);

// A look at the primary; throws the same.
void read_and_wait(Engine&, const std::function<void(Read&)>&);
// Several, beside each other, each on a snapshot of its own. Waits for all of them, whatever becomes of one.
void read_and_wait(Engine&, std::span<const std::function<void(Read&)>>);

// The facts of the site, where they change while it is served. A session that an engine begins has those of then, to its
// end, so that a request is decided by one of them. Those of before are kept: whoever has looked at them may go on.

// From now on those of every new session of this process; nullptr: those that each was opened with.
void use_site(std::unique_ptr<const base::Site>);
// `opened_with`: as long as none are used.
const base::Site& site_now(const base::Site& opened_with);

}  // namespace db
