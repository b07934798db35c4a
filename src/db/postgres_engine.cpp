// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/postgres_engine.hpp"

#include "base/log.hpp"
#include "db/transaction.hpp"

namespace db {

namespace {

// Nobody waits for a slow change but who asked for it, and its time includes the disk's and that of others.
constexpr int patience = 5;

}  // namespace

PostgresEngine::PostgresEngine(Options options)
    : shop_(std::move(options)), reads_(shop_.options.queue), changes_(shop_.options.queue) {}

PostgresEngine::~PostgresEngine() { stop(); }

void PostgresEngine::start() {
    if (shop_.options.prepare) {
        PostgresConnection connection(shop_.options.postgres_url);
        shop_.options.prepare(connection);
    }
    const int readers = shop_.options.readers > 0 ? shop_.options.readers : 16;
    const int writers = shop_.options.writers > 0 ? shop_.options.writers : 8;
    for (int i = 0; i < readers; ++i) readers_.emplace_back([this] { reader(); });
    for (int i = 0; i < writers; ++i) writers_.emplace_back([this] { writer(); });
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
    Stats now = shop_.counters.read();
    now.reads_waiting = reads_.size();
    now.writes_waiting = changes_.size();
    return now;
}

bool PostgresEngine::read(std::function<void(Read&)> job, bool primary) {
    if (reads_.push({std::move(job), primary})) return true;
    ++shop_.counters.reads_refused;
    return false;
}

bool PostgresEngine::write(
    const char* name, std::function<void(Write&)> change, std::function<void(std::exception_ptr)> done
) {
    if (changes_.push({name, std::move(change), std::move(done)})) return true;
    ++shop_.counters.changes_refused;
    return false;
}

void PostgresEngine::reader() {
    PostgresConnection primary(shop_.options.postgres_url), replica(shop_.options.replica_url);
    primary.watch(shop_.watch());
    replica.watch(shop_.watch());
    const bool has_replica = !shop_.options.replica_url.empty();
    for (ReadJob job; reads_.pop(job); job = {}) {
        const bool behind_is_fine = has_replica && !job.primary && replica.ready();
        shop_.read(behind_is_fine ? replica : primary, {&job, 1});
    }
}

void PostgresEngine::writer() {
    PostgresConnection connection(shop_.options.postgres_url);
    connection.watch(shop_.watch());
    for (Change change; changes_.pop(change); change = {}) {
        run(connection, change);
        shop_.finish(change);
    }
}

void PostgresEngine::run(PostgresConnection& connection, Change& change) {
    const Busy busy(shop_.counters.writing_us);
    try {
        auto news = run_change(connection, shop_.options.context, change.run, &shop_.counters.retries);
        shop_.counters.committed(1);
        shop_.announce(std::move(news));
    } catch (const Outage& outage) {
        change.error = std::current_exception();
        ++shop_.counters.commits_failed;
        base::log_warning("a change was given up", {{"change", change.name}, {"cause", outage.cause}});
    } catch (...) {
        change.error = std::current_exception();
    }
    shop_.note_time(change, busy.so_far(), patience * shop_.options.slow_change);
}

}  // namespace db
