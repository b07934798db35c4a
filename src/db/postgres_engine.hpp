// SPDX-License-Identifier: AGPL-3.0-or-later
// Each reader thread has a connection, plus a second one if there is a replica for reads that may be slightly
// stale. Each writer thread has a connection and runs one change at a time
// (docs/decisions/0019-writers-side-by-side.md); one more thread batches the changes from write_together().
#pragma once
#include "db/engine.hpp"
#include "db/postgres/replica_watch.hpp"
#include "db/postgres_connection.hpp"
#include "db/queue.hpp"
#include "db/worker.hpp"

#include <thread>

namespace db {

class PostgresEngine final : public RunningEngine {
public:
    explicit PostgresEngine(Options, std::shared_ptr<WriteGate> gate = nullptr);
    ~PostgresEngine() override;

    void start() override;
    void stop() override;
    void cancel() override { support_.cancelled = true; }
    Stats stats() const override;
    bool read(std::function<void(Read&)> job, Position at_least) override;
    bool write(
        const char* name, std::function<void(Write&)> change, std::function<void(std::exception_ptr)> done
    ) override;
    bool write_together(
        const char* name, std::function<void(Write&)> change, std::function<void(std::exception_ptr)> done
    ) override;
    Position position() const override;

private:
    bool push(Queue<Change>&, Change);
    void reader();
    // Whether the replica has reached this position, or will in a moment.
    bool replica_has(PostgresConnection& replica, Position at_least);
    void writer(PostgresConnection&);
    void writer_together(PostgresConnection&);
    void run(PostgresConnection&, Change&);
    void run_together(PostgresConnection&, std::span<Change>);
    void make(PostgresConnection&, std::span<Change>);
    void note_time(const Change&, std::chrono::steady_clock::time_point begun);

    EngineSupport support_;
    const std::shared_ptr<PostgresAddress> primary_, replica_;
    std::unique_ptr<ReplicaWatch> watch_;  // where there is a replica
    Queue<ReadJob> reads_;
    Queue<Change> changes_, together_;
    std::vector<std::thread> readers_, writers_;
};

}  // namespace db
