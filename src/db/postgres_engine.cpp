// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/postgres_engine.hpp"

#include "base/log.hpp"
#include "db/transaction.hpp"

#include <algorithm>

namespace db {

namespace {

// Nobody waits for a slow change but who asked for it, and its time includes the disk's and that of others.
constexpr int patience = 5;

// PostgreSQL looks up savepoints quickly as long as a transaction has no more than 64.
constexpr std::size_t most_together = 32;

// PostgreSQL may need a moment to see that a node was killed.
bool is_alone(PostgresConnection& connection) {
    constexpr int attempts = 5;
    for (int i = 0; i < attempts; ++i) {
        if (connection.shut_out_nodes()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
}

}  // namespace

PostgresEngine::PostgresEngine(Options options)
    : support_(std::move(options)), reads_(support_.options.queue), changes_(support_.options.queue) {}

PostgresEngine::~PostgresEngine() { stop(); }

void PostgresEngine::start() {
    {
        PostgresConnection connection(support_.options.postgres_url);
        if (support_.options.prepare) support_.options.prepare(connection);
        if (support_.options.alone && is_alone(connection)) support_.options.alone(connection);
    }
    const int readers = support_.options.readers > 0 ? support_.options.readers : 16;
    for (int i = 0; i < readers; ++i) readers_.emplace_back([this] { reader(); });
    writer_ = std::thread([this] { writer(); });
}

void PostgresEngine::stop() {
    changes_.close();
    if (writer_.joinable()) writer_.join();
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
    if (changes_.push({name, std::move(change), std::move(done)})) return true;
    ++support_.counters.changes_refused;
    return false;
}

void PostgresEngine::reader() {
    PostgresConnection primary(support_.options.postgres_url), replica(support_.options.replica_url);
    primary.observe(support_.observe());
    replica.observe(support_.observe());
    const bool has_replica = !support_.options.replica_url.empty();
    for (std::vector<ReadJob> jobs(1); reads_.pop(jobs.front()); jobs.assign(1, {})) {
        const bool behind_is_fine = has_replica && !jobs.front().primary && replica.ready();
        support_.read(behind_is_fine ? replica : primary, jobs);
    }
}

void PostgresEngine::writer() {
    PostgresConnection connection(support_.options.postgres_url, PostgresConnection::Of::node);
    connection.observe(support_.observe());
    const auto most = std::min(most_together, support_.options.group);
    for (std::vector<Change> group; changes_.pop_all(group, most); group.clear()) {
        run_group(connection, group);
        for (auto& change : group) support_.finish(change);
    }
}

void PostgresEngine::run_group(PostgresConnection& connection, std::vector<Change>& group) {
    const ScopedTimer busy(support_.counters.writing_us);
    if (group.size() > 1) {
        try {
            auto announcements = run_together(connection, group);
            support_.counters.committed(group.size());
            support_.announce(std::move(announcements));
            return;
        } catch (const Outage& outage) {  // perhaps all is written, and perhaps nothing
            for (auto& change : group)
                if (!change.error) change.error = std::current_exception();
            ++support_.counters.commits_failed;
            base::log_warning("a commit failed", {{"cause", outage.cause}});
            return;
        } catch (...) {
            ++support_.counters.retries;
        }
    }
    for (auto& change : group) run_alone(connection, change);
}

std::vector<Announcement> PostgresEngine::run_together(
    PostgresConnection& connection, std::vector<Change>& group
) {
    return in_transaction(connection, Mode::write, [&] {
        std::vector<Announcement> announcements;
        for (auto& change : group) run_one(connection, change, announcements);
        return announcements;
    });
}

void PostgresEngine::run_one(
    PostgresConnection& connection, Change& change, std::vector<Announcement>& announcements
) {
    const auto begun = std::chrono::steady_clock::now();
    connection.mark();
    try {
        Write session(connection, support_.options.context);
        support_.run(change, session);
        connection.settle();
        std::ranges::move(session.announcements, std::back_inserter(announcements));
    } catch (const base::TimedOut&) {
        if (connection.has_begun())
            throw;  // all of them alone: what the server cancelled spoilt the transaction
        change.error = std::current_exception();
    } catch (const Retry&) {
        throw;  // all of them alone: seldom, and nothing of the change has happened yet
    } catch (...) {
        change.error = std::current_exception();
        if (!connection.can_undo()) throw;
        connection.undo();
    }
    support_.note_time(change, begun, patience * support_.options.slow_change);
}

void PostgresEngine::run_alone(PostgresConnection& connection, Change& change) {
    const auto begun = std::chrono::steady_clock::now();
    change.error = nullptr;
    try {
        auto announcements = run_change(
            connection,
            support_.options.context,
            [&](Write& session) { support_.run(change, session); },
            &support_.counters.retries
        );
        support_.counters.committed(1);
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
