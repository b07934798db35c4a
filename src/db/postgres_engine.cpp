// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/postgres_engine.hpp"

#include "base/log.hpp"
#include "db/transaction.hpp"

#include <algorithm>

namespace db {

namespace {

// Nobody waits for a slow change but who asked for it, and its time includes the disk's and that of others.
constexpr int patience = 5;

constexpr int usual_readers = 16, usual_writers = 16;

// PostgreSQL sees that a node was killed when the command that it is at for that node is done: on a busy machine not at once.
bool is_alone(PostgresConnection& connection) {
    constexpr int attempts = 25;
    for (int i = 0; i < attempts; ++i) {
        if (connection.shut_out_nodes()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
}

}  // namespace

PostgresEngine::PostgresEngine(Options options, std::shared_ptr<WriteGate> gate)
    : support_(std::move(options), std::move(gate)),
      reads_(support_.options.queue),
      changes_(support_.options.queue) {}

PostgresEngine::~PostgresEngine() { stop(); }

void PostgresEngine::start() {
    {
        PostgresConnection connection(support_.options.postgres_url);
        if (support_.options.prepare) support_.options.prepare(connection);
        if (support_.options.alone && is_alone(connection)) support_.options.alone(connection);
    }
    const auto& options = support_.options;
    const int readers = options.readers > 0 ? options.readers : usual_readers;
    const int writers = options.writers > 0 ? options.writers : usual_writers;
    for (int i = 0; i < readers; ++i) readers_.emplace_back([this] { reader(); });
    for (int i = 0; i < writers; ++i) {
        using enum PostgresConnection::Of;
        auto connection = std::make_unique<PostgresConnection>(options.postgres_url, i == 0 ? node : anybody);
        connection->observe(support_.observe());
        connection->give_up_after(options.longest_silence);
        if (i == 0) connection->ready();  // others see from now on that this node is there
        writers_.emplace_back([this, mine = std::move(connection)] { writer(*mine); });
    }
}

void PostgresEngine::stop() {
    changes_.close();
    for (auto& thread : writers_) thread.join();
    writers_.clear();
    reads_.close();
    for (auto& thread : readers_) thread.join();
    readers_.clear();
}

Stats PostgresEngine::stats() const {
    Stats now = support_.counters.read();
    now.reads_waiting = reads_.size();
    now.writes_waiting = changes_.size();
    return now;
}

bool PostgresEngine::read(std::function<void(Read&)> job, bool primary) {
    if (reads_.push({std::move(job), primary})) return true;
    ++support_.counters.reads_refused;
    return false;
}

bool PostgresEngine::write(
    const char* name, std::function<void(Write&)> change, std::function<void(std::exception_ptr)> done
) {
    Change asked{name, std::move(change), std::move(done)};
    if (support_.refuses(asked) || changes_.push(std::move(asked))) return true;
    ++support_.counters.changes_refused;
    return false;
}

void PostgresEngine::reader() {
    PostgresConnection primary(support_.options.postgres_url), replica(support_.options.replica_url);
    for (auto* connection : {&primary, &replica}) {
        connection->observe(support_.observe());
        connection->give_up_after(support_.options.longest_silence);
    }
    const bool has_replica = !support_.options.replica_url.empty();
    for (std::vector<ReadJob> jobs(1); reads_.pop(jobs.front()); jobs.assign(1, {})) {
        const bool behind_is_fine = has_replica && !jobs.front().primary && replica.ready();
        support_.read(behind_is_fine ? replica : primary, jobs);
    }
}

void PostgresEngine::writer(PostgresConnection& connection) {
    for (Change change; changes_.pop(change); change = {}) {
        run(connection, change);
        support_.finish(change);
    }
}

void PostgresEngine::run(PostgresConnection& connection, Change& change) {
    const ScopedTimer busy(support_.counters.writing_us);
    const WriteGate::Passage passage(support_.gate.get());
    const auto begun = std::chrono::steady_clock::now();
    // What was sent and not waited for ends with the commit.
    const base::Within within(change.until, &support_.cancelled);
    try {
        auto announcements = run_change(
            connection,
            support_.options.context,
            [&](Write& session) { support_.run(change, session); },
            &support_.counters.retries
        );
        support_.counters.committed(1);
        if (connection.was_alone()) ++support_.counters.alone;
        support_.announce(std::move(announcements));
    } catch (const Outage& outage) {
        change.error = std::current_exception();
        ++support_.counters.commits_failed;
        base::log_warning("a change was given up", {{"change", change.name}, {"cause", outage.cause}});
    } catch (...) {
        change.error = std::current_exception();
    }
    support_.note_time(change, begun, patience * support_.options.slow_change);
}

}  // namespace db
