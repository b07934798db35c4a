// SPDX-License-Identifier: AGPL-3.0-or-later
// Reader threads with a connection each, a single writer thread, and a thread that checkpoints the log. The
// writer takes everything that is queued, runs it in one transaction (with a savepoint for each change if
// there are several), commits once, and only then reports to the callers.
#pragma once
#include "db/engine.hpp"
#include "db/log/log_follower.hpp"
#include "db/queue.hpp"
#include "db/sqlite_connection.hpp"
#include "db/turns.hpp"
#include "db/worker.hpp"

#include <thread>

namespace db {

class SqliteEngine final : public RunningEngine {
public:
    explicit SqliteEngine(Options, std::shared_ptr<WriteGate> gate = nullptr);
    ~SqliteEngine() override;

    void start() override;
    void stop() override;
    void cancel() override { support_.cancelled = true; }
    Stats stats() const override;
    bool read(std::function<void(Read&)> job, Position) override;
    bool write(
        const char* name, std::function<void(Write&)> change, std::function<void(std::exception_ptr)> done
    ) override;

private:
    void reader(SqliteConnection&);
    void writer();
    void run_group(std::vector<Change>&);
    bool try_group(std::vector<Change>&, std::vector<Announcement>& announcements);
    void run_one(Change&, bool alone, std::vector<Announcement>& announcements);
    void checkpointer(SqliteConnection&);
    void restart_log(SqliteConnection&, int pages);
    void cut_log(SqliteConnection&);
    void let_begin_anew(SqliteConnection&, SqliteConnection::Checkpoint);
    bool in_memory() const { return support_.options.sqlite_file.empty(); }

    EngineSupport support_;
    Queue<ReadJob> reads_;
    Queue<Change> changes_;

    std::unique_ptr<SqliteConnection> writing_;  // in memory, it also serves the readers, one at a time
    std::mutex one_at_a_time_;
    Turns turns_;                                            // of the writer and the checkpointer
    std::atomic<bool> on_disk_{true};                        // everything committed is synced
    std::atomic<std::uint64_t> commits_{0};                  // incremented before anybody learns of a commit
    std::vector<std::unique_ptr<SqliteConnection>> others_;  // of the readers and the checkpointer
    std::vector<std::thread> readers_;
    std::thread writer_, checkpointer_;

    std::mutex stopping_mutex_;
    std::condition_variable stopping_;
    bool stopped_ = false;
};

}  // namespace db
