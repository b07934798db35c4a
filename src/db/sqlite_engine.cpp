// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/sqlite_engine.hpp"

#include "base/log.hpp"

#include <algorithm>

namespace db {

namespace {

// How long the writer may wait for readers to end so that the log can restart; the second applies when the
// log has become so large that its size is the greater problem.
constexpr auto patience = std::chrono::milliseconds(8), last_patience = std::chrono::milliseconds(250);
constexpr int last_patience_factor = 16;
constexpr int quiet_rounds = 60;  // without a change, after which truncating the log delays nobody
constexpr std::size_t most_reads_at_once = 4;
// How long a reader may keep its snapshot while the writer commits nothing. Other programs (the command line)
// commit too.
constexpr auto snapshot_age = std::chrono::milliseconds(2);

}  // namespace

SqliteEngine::SqliteEngine(Options options, std::shared_ptr<WriteGate> gate)
    : support_(std::move(options), std::move(gate)),
      reads_(support_.options.queue),
      changes_(support_.options.queue) {}

SqliteEngine::~SqliteEngine() { stop(); }

void SqliteEngine::start() {
    const std::string file = in_memory() ? ":memory:" : support_.options.sqlite_file.string();
    const auto& follower = support_.options.follower;
    auto open = [&](Mode mode) {
        auto connection = std::make_unique<SqliteConnection>(file, mode);
        connection->observe(support_.observe());
        if (follower) connection->keep_log();
        return connection;
    };
    writing_ = open(Mode::write);
    if (follower) follower->start();
    if (support_.options.prepare) support_.options.prepare(*writing_);
    if (support_.options.alone) support_.options.alone(*writing_);

    for (int i = 0; i < support_.options.reader_threads(); ++i) {
        auto& connection = in_memory() ? writing_ : others_.emplace_back(open(Mode::read));
        readers_.emplace_back([this, mine = connection.get()] { reader(*mine); });
    }
    writer_ = std::thread([this] { writer(); });
    if (in_memory()) return;
    auto& connection = others_.emplace_back(open(Mode::write));
    checkpointer_ = std::thread([this, mine = connection.get()] { checkpointer(*mine); });
}

void SqliteEngine::stop() {
    changes_.close();
    if (writer_.joinable()) writer_.join();
    reads_.close();
    for (auto& thread : readers_) thread.join();
    readers_.clear();
    {
        std::lock_guard lock(stopping_mutex_);
        stopped_ = true;
    }
    stopping_.notify_all();
    if (checkpointer_.joinable()) checkpointer_.join();
    others_.clear();
    writing_.reset();
}

Stats SqliteEngine::stats() const {
    Stats now = support_.counters.read();
    now.reads_waiting = reads_.size();
    now.writes_waiting = changes_.size();
    return now;
}

bool SqliteEngine::read(std::function<void(Read&)> job, Position) {
    if (reads_.push({std::move(job)})) return true;
    ++support_.counters.reads_refused;
    return false;
}

bool SqliteEngine::write(
    const char* name, std::function<void(Write&)> change, std::function<void(std::exception_ptr)> done
) {
    Change asked{name, std::move(change), std::move(done)};
    if (support_.refuses(asked) || changes_.push(std::move(asked))) return true;
    ++support_.counters.changes_refused;
    return false;
}

void SqliteEngine::reader(SqliteConnection& connection) {
    const auto readers = static_cast<std::size_t>(support_.options.reader_threads());
    std::uint64_t commits = 0;
    std::chrono::steady_clock::time_point begun;
    auto begin = [&] {
        commits = commits_.load();
        begun = std::chrono::steady_clock::now();
    };
    // Starting a snapshot costs more than some reads, so queued reads share one, and so do those that arrive
    // while it is fresh. Commits are counted before their callers learn of them, so a read that is already
    // queued cannot depend on one that is not counted.
    auto more = [&](std::vector<ReadJob>& jobs) {
        if (in_memory() || !reads_.try_pop_share(jobs, readers, most_reads_at_once)) return true;
        bool fresh = commits_.load() == commits && std::chrono::steady_clock::now() - begun < snapshot_age;
        if (!fresh) begin();
        return fresh;
    };
    for (std::vector<ReadJob> jobs; reads_.pop_share(jobs, readers, most_reads_at_once); jobs.clear()) {
        std::unique_lock lock(one_at_a_time_, std::defer_lock);
        if (in_memory()) lock.lock();
        begin();
        support_.read(connection, jobs, more);
    }
}

void SqliteEngine::writer() {
    for (std::vector<Change> group; changes_.pop_all(group, support_.options.group); group.clear()) {
        run_group(group);
        for (auto& change : group) support_.finish(change);
    }
}

void SqliteEngine::run_group(std::vector<Change>& group) {
    std::vector<Announcement> announcements;
    {
        const ScopedTimer busy(support_.counters.writing_us);
        std::unique_lock lock(one_at_a_time_, std::defer_lock);
        if (in_memory()) lock.lock();
        const std::lock_guard turn(turns_);
        const WriteGate::Passage passage(support_.gate.get());
        while (!try_group(group, announcements)) {}
    }
    support_.announce(std::move(announcements));
}

// Returns false when a change's deadline rolled back the whole transaction; the others have to run again.
bool SqliteEngine::try_group(std::vector<Change>& group, std::vector<Announcement>& announcements) {
    try {
        const bool repeatable = std::ranges::all_of(group, &Change::repeatable);
        writing_->wait_for_disk(!repeatable);
        writing_->begin(Mode::write);
        const bool alone = group.size() == 1;
        for (auto& change : group)
            if (!change.late) run_one(change, alone, announcements);
        if (alone && group.front().error && !group.front().late) {
            writing_->rollback();
            return true;
        }
        const auto begun = std::chrono::steady_clock::now();
        writing_->commit();
        support_.counters.commit_took(std::chrono::steady_clock::now() - begun);
        ++commits_;
        if (repeatable) on_disk_ = false;  // not set again later: a commit that wrote nothing does not sync
        support_.counters.committed(group.size());
    } catch (const base::TimedOut&) {
        writing_->rollback();
        announcements.clear();
        for (auto& change : group)
            if (!change.late) change.error = nullptr;
        return false;
    } catch (...) {  // e.g. the disk is full: no change is kept
        writing_->rollback();
        announcements.clear();
        for (auto& change : group)
            if (!change.error) change.error = std::current_exception();
        ++support_.counters.commits_failed;
        base::log_error("a commit failed", {{"cause", cause(std::current_exception())}});
    }
    return true;
}

// `alone`: no savepoint is needed, as a failure rolls back the transaction. A savepoint copies each page
// changed after it.
void SqliteEngine::run_one(Change& change, bool alone, std::vector<Announcement>& announcements) {
    const auto begun = std::chrono::steady_clock::now();
    if (!alone) writing_->mark();
    try {
        const Context now = support_.context();
        Write session(*writing_, now);
        support_.run(change, session);
        writing_->refuse_dangling();
        if (!alone) writing_->settle();
        std::ranges::move(session.announcements, std::back_inserter(announcements));
    } catch (...) {
        change.error = std::current_exception();
        if (!writing_->in_transaction()) {  // SQLite has rolled back the whole group
            change.late = base::Within(change.until, &support_.cancelled).over();
            if (!change.late) throw;
            change.error = std::make_exception_ptr(base::TimedOut());
            throw base::TimedOut();
        }
        if (!alone) writing_->undo();
    }
    support_.note_time(change, begun, support_.options.slow_change);
}

void SqliteEngine::checkpointer(SqliteConnection& connection) {
    using enum SqliteConnection::Checkpoint;
    std::uint64_t commits = 0;
    int quiet = 0;
    int pages = 0;
    auto& follower = support_.options.follower;
    auto round = [&] {
        // Whoever copies the file while writing is suspended needs the log that belongs to it.
        const bool closed = support_.gate && support_.gate->is_closed();
        const bool restartable = !closed && (!follower || follower->restartable());
        if (follower) follower->advance(static_cast<std::uint64_t>(std::max(pages, 0)));
        // A checkpoint that has nothing to move does not sync the log.
        if (!on_disk_.exchange(true)) connection.sync_log();
        pages = connection.checkpoint(passive).pages;
        if (pages > support_.options.log_pages && restartable)
            restart_log(connection, std::exchange(pages, 0));
        quiet = commits == commits_ ? quiet + 1 : 0;
        commits = commits_;
        if (quiet == quiet_rounds && restartable) cut_log(connection);
    };
    std::unique_lock lock(stopping_mutex_);
    while (!stopping_.wait_for(lock, support_.options.checkpoint_every, [this] { return stopped_; })) {
        lock.unlock();
        try {
            round();
        } catch (const std::exception&) {
            base::log_error("a checkpoint failed", {{"cause", cause(std::current_exception())}});
        }
        lock.lock();
    }
}

// Under constant writing a checkpoint never moves everything, and the log would grow for ever. So the writer
// waits for a final one, which finds little left to do. The log file keeps its size: truncating it and
// letting the next commits extend it again is much slower than overwriting it (decision 14).
void SqliteEngine::restart_log(SqliteConnection& connection, int pages) {
    using enum SqliteConnection::Checkpoint;
    connection.sync_moved();
    connection.checkpoint(passive);
    connection.sync_moved();
    const bool large = pages / last_patience_factor > support_.options.log_pages;
    connection.wait_when_busy(large ? last_patience : patience);
    let_begin_anew(connection, restart);
}

void SqliteEngine::let_begin_anew(SqliteConnection& connection, SqliteConnection::Checkpoint kind) {
    using enum SqliteConnection::Checkpoint;
    const std::lock_guard turn(turns_);
    auto& follower = support_.options.follower;
    if (!follower) {
        connection.checkpoint(kind);
        return;
    }
    follower->release();
    const auto log = connection.checkpoint(restart);
    const auto frames = static_cast<std::uint64_t>(std::max(log.pages, 0));
    const bool whole = log.pages == log.moved;
    if (kind == truncate && whole && follower->has(frames)) connection.checkpoint(truncate);
    follower->resume(frames);
}

// For a log that a long read, or a burst of writes, has made large.
void SqliteEngine::cut_log(SqliteConnection& connection) {
    std::error_code absent;
    const auto bytes = std::filesystem::file_size(support_.options.sqlite_file.string() + "-wal", absent);
    if (absent || bytes <= support_.options.idle_log_bytes) return;
    connection.wait_when_busy(patience);
    let_begin_anew(connection, SqliteConnection::Checkpoint::truncate);
}

}  // namespace db
