// SPDX-License-Identifier: AGPL-3.0-or-later
// Decides whether the replica may serve reads, and how far it has come. A thread with its own connections
// polls it and the primary a few times a second: a server that does not answer for a second, is not a replica
// (any more) or lags too far is left out, and comes back on its own.
#pragma once
#include "db/position.hpp"
#include "db/postgres_connection.hpp"
#include "db/stats.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace db {

// How far the replica lags, from the times at which the primary had each position. Uses only this machine's
// clock.
class ReplicaLag {
public:
    using Clock = std::chrono::steady_clock;

    void primary_at(Position, Clock::time_point);
    void replica_at(Position);
    std::chrono::milliseconds late(Clock::time_point now) const;
    std::uint64_t bytes() const;

private:
    struct Mark {
        Position position;
        Clock::time_point at;
    };
    static constexpr std::size_t most = 600;  // some minutes
    std::deque<Mark> missing_;                // what the replica has not reached yet, oldest first
    Position primary_, replica_;
};

class ReplicaWatch {
public:
    ReplicaWatch(std::shared_ptr<PostgresAddress> primary, std::shared_ptr<PostgresAddress> replica);
    ~ReplicaWatch();

    // The replica serves nothing before it has reached `now`, the primary's current position.
    void start(Position now);
    void stop();

    // Always safe, even if slightly out of date: what has been replayed stays replayed. `maybe`: it is so
    // close that it is worth asking.
    enum class May { no, maybe, yes };
    May serve(Position at_least) const;
    void replayed(Position);  // a query has seen this position
    // What is known about one replica says nothing about another behind the same address.
    bool watches(const std::string& host) const;
    void failed();  // a query failed: it is left out until it answers again
    // For connections to the replica: whoever waits for one that is left out stops waiting.
    const std::atomic<bool>& left_out() const { return left_out_; }
    Stats::Replica figures() const;

private:
    using Clock = std::chrono::steady_clock;

    void loop();
    void look();
    std::string doubt(std::int64_t replayed);
    void decide(const std::string& doubt);
    bool has_just_begun() const;

    PostgresConnection primary_, replica_;
    ReplicaLag lag_;
    Clock::time_point primary_again_;  // when to ask it again after a failure
    Position floor_;
    Clock::time_point begun_;
    bool told_ = false;

    std::atomic<bool> left_out_ = true;
    std::atomic<std::uint64_t> replayed_ = 0, times_left_out_ = 0, bytes_ = 0;
    std::atomic<std::int64_t> late_ms_ = 0;

    std::thread thread_;
    mutable std::mutex mutex_;
    std::string host_;  // of the replica that answered last
    std::condition_variable wake_;
    bool ending_ = false, hurry_ = false;
};

}  // namespace db
