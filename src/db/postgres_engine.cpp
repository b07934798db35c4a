// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/postgres_engine.hpp"

#include "base/log.hpp"
#include "db/transaction.hpp"

#include <algorithm>

namespace db {

namespace {

// Changes run side by side, so a slow one delays only its own caller; its time includes the disk and lock
// waits.
constexpr int patience = 5;

constexpr std::size_t most_together = 64;

// The position of this writer's last commit.
thread_local Position committed = newest;

// PostgreSQL notices that a node was killed only when that node's current command ends, which takes time on a
// busy machine.
bool is_alone(PostgresConnection& connection) {
    if (connection.pooled()) return false;  // nodes cannot show that they are alive
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
      primary_(std::make_shared<PostgresAddress>(support_.options.postgres_url)),
      replica_(std::make_shared<PostgresAddress>(support_.options.replica_url)),
      reads_(support_.options.queue),
      changes_(support_.options.queue),
      together_(support_.options.queue) {
    if (!support_.options.replica_url.empty()) watch_ = std::make_unique<ReplicaWatch>(primary_, replica_);
}

PostgresEngine::~PostgresEngine() { stop(); }

void PostgresEngine::start() {
    {
        PostgresConnection connection(primary_);
        if (support_.options.prepare) support_.options.prepare(connection);
        if (support_.options.alone && is_alone(connection)) support_.options.alone(connection);
        if (watch_) {
            const auto now = connection.query(position_now, {});
            watch_->start(now->next() ? end_of_last_change(now->integer(0)) : newest);
        }
    }
    const auto& options = support_.options;
    const int readers = options.reader_threads(), writers = options.writer_threads();
    for (int i = 0; i < readers; ++i) readers_.emplace_back([this] { reader(); });
    for (int i = 0; i <= writers; ++i) {  // the first one runs the batches
        using enum PostgresConnection::Of;
        // The connection of a thread that is always busy, and so reconnects when the server was away.
        const bool shows_the_node = i == 1;
        auto connection = std::make_unique<PostgresConnection>(primary_, shows_the_node ? node : anybody);
        connection->observe(support_.observe());
        connection->give_up_after(options.longest_silence);
        if (watch_) connection->tell_positions();
        if (shows_the_node) connection->ready();  // from now on others see this node
        const auto turns = i == 0 ? &PostgresEngine::writer_together : &PostgresEngine::writer;
        writers_.emplace_back([this, turns, mine = std::move(connection)] { (this->*turns)(*mine); });
    }
}

void PostgresEngine::stop() {
    changes_.close();
    together_.close();
    for (auto& thread : writers_) thread.join();
    writers_.clear();
    reads_.close();
    for (auto& thread : readers_) thread.join();
    readers_.clear();
    if (watch_) watch_->stop();
}

Stats PostgresEngine::stats() const {
    Stats now = support_.counters.read();
    now.reads_waiting = reads_.size();
    now.writes_waiting = changes_.size() + together_.size();
    if (!watch_) return now;
    now.replica = watch_->figures();
    now.replica->reads = support_.counters.replica_reads;
    now.replica->not_yet = support_.counters.replica_not_yet;
    return now;
}

bool PostgresEngine::read(std::function<void(Read&)> job, Position at_least) {
    if (reads_.push({std::move(job), at_least})) return true;
    ++support_.counters.reads_refused;
    return false;
}

bool PostgresEngine::push(Queue<Change>& queue, Change change) {
    if (support_.refuses(change) || queue.push(std::move(change))) return true;
    ++support_.counters.changes_refused;
    return false;
}

bool PostgresEngine::write(
    const char* name, std::function<void(Write&)> change, std::function<void(std::exception_ptr)> done
) {
    return push(changes_, {name, std::move(change), std::move(done)});
}

bool PostgresEngine::write_together(
    const char* name, std::function<void(Write&)> change, std::function<void(std::exception_ptr)> done
) {
    return push(together_, {name, std::move(change), std::move(done)});
}

void PostgresEngine::reader() {
    PostgresConnection primary(primary_), replica(replica_);
    for (auto* connection : {&primary, &replica}) {
        connection->observe(support_.observe());
        connection->give_up_after(support_.options.longest_silence);
    }
    if (watch_) replica.give_up_when(watch_->left_out());
    for (std::vector<ReadJob> jobs(1); reads_.pop(jobs.front()); jobs.assign(1, {})) {
        if (!watch_ || !replica_has(replica, jobs.front().at_least)) {
            support_.read(primary, jobs);
            continue;
        }
        ++support_.counters.replica_reads;
        support_.read(replica, jobs);
        if (!replica.connected()) watch_->failed();
    }
}

bool PostgresEngine::replica_has(PostgresConnection& replica, Position at_least) {
    using std::chrono::milliseconds;
    constexpr milliseconds longest{20};
    auto may = watch_->serve(at_least);
    if (may != ReplicaWatch::May::no && (!replica.ready() || !watch_->watches(replica.host())))
        may = ReplicaWatch::May::no;
    try {
        const auto begun = std::chrono::steady_clock::now();
        for (milliseconds pause{1}; may == ReplicaWatch::May::maybe; pause *= 2) {
            const auto replayed = replica.query(replayed_now, {});
            if (replayed->next() && replayed->integer(0) > 0)
                watch_->replayed({static_cast<std::uint64_t>(replayed->integer(0))});
            may = watch_->serve(at_least);
            if (std::chrono::steady_clock::now() - begun + pause > longest) break;
            if (may == ReplicaWatch::May::maybe) std::this_thread::sleep_for(pause);
        }
    } catch (const std::exception&) {
        may = ReplicaWatch::May::no;
        watch_->failed();
    }
    if (may == ReplicaWatch::May::yes && replica.ready()) return true;
    if (at_least != newest && !watch_->left_out()) ++support_.counters.replica_not_yet;
    return false;
}

Position PostgresEngine::position() const { return committed; }

void PostgresEngine::writer(PostgresConnection& connection) {
    for (Change change; changes_.pop(change); change = {}) {
        run(connection, change);
        support_.finish(change);
    }
}

// One batch at a time, so that others gather meanwhile.
void PostgresEngine::writer_together(PostgresConnection& connection) {
    for (std::vector<Change> some; together_.pop_all(some, most_together); some.clear()) {
        run_together(connection, some);
        for (auto& change : some) support_.finish(change);
    }
}

void PostgresEngine::run_together(PostgresConnection& connection, std::span<Change> some) {
    const auto begun = std::chrono::steady_clock::now();
    try {
        if (some.size() > 1) {
            make(connection, some);
            for (auto& change : some) note_time(change, begun);
            return;
        }
    } catch (...) {
        // Nothing was committed, because one of the changes failed.
    }
    for (auto& change : some) run(connection, change);
}

void PostgresEngine::run(PostgresConnection& connection, Change& change) {
    const auto begun = std::chrono::steady_clock::now();
    try {
        make(connection, {&change, 1});
    } catch (...) {
        change.error = std::current_exception();
    }
    note_time(change, begun);
}

void PostgresEngine::note_time(const Change& change, std::chrono::steady_clock::time_point begun) {
    support_.note_time(change, begun, patience * support_.options.slow_change);
}

// Runs the changes in one transaction. Throws when none is committed; if that is unknown, each change gets
// the error.
void PostgresEngine::make(PostgresConnection& connection, std::span<Change> all) {
    const ScopedTimer busy(support_.counters.writing_us);
    const WriteGate::Passage passage(support_.gate.get());
    // Commands that were sent without waiting end with the commit.
    const base::Within within(std::ranges::max_element(all, {}, &Change::until)->until, &support_.cancelled);
    try {
        auto announcements = run_change(
            connection,
            support_.context(),
            [&](Write& session) {
                for (auto& change : all) support_.run(change, session);
            },
            &support_.counters.retries
        );
        support_.counters.committed(all.size());
        committed = connection.position();
        if (connection.was_alone()) ++support_.counters.alone;
        support_.announce(std::move(announcements));
    } catch (const Outage& outage) {
        for (auto& change : all) change.error = std::current_exception();
        ++support_.counters.commits_failed;
        base::log_warning("a change was given up", {{"change", all.front().name}, {"cause", outage.cause}});
    }
}

}  // namespace db
