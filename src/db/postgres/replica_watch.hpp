// SPDX-License-Identifier: AGPL-3.0-or-later
// Whether the replica may be asked, and how far it has come. A thread with connections of its own asks it and the primary a
// few times a second: who does not answer for a second, is no replica (any more) or is too far behind is left out from then
// on, and comes back by itself.
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

// How late a replica is, by what the primary had at which time: no clock but ours.
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
    std::deque<Mark> missing_;                // what the replica has not reached, the oldest first
    Position primary_, replica_;
};

class ReplicaWatch {
public:
    ReplicaWatch(std::shared_ptr<PostgresAddress> primary, std::shared_ptr<PostgresAddress> replica);
    ~ReplicaWatch();

    // It serves nobody before it has come as far as the primary is now.
    void start(Position now);
    void stop();

    // Not that it was true a moment ago: what has been replayed stays so. `maybe`: it is so close that it may be asked.
    enum class May { no, maybe, yes };
    May serve(Position at_least) const;
    void replayed(Position);  // somebody has asked it
    // What was learnt of one replica says nothing of another behind the same address.
    bool watches(const std::string& host) const;
    void failed();  // somebody could not: it is left out until it answers again
    // For connections to it: whoever waits for one that is left out stops.
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
    Clock::time_point primary_again_;  // when it did not answer
    Position floor_;
    Clock::time_point begun_;
    bool told_ = false;

    std::atomic<bool> left_out_ = true;
    std::atomic<std::uint64_t> replayed_ = 0, times_left_out_ = 0, bytes_ = 0;
    std::atomic<std::int64_t> late_ms_ = 0;

    std::thread thread_;
    mutable std::mutex mutex_;
    std::string host_;  // of the replica that was asked last
    std::condition_variable wake_;
    bool ending_ = false, hurry_ = false;
};

}  // namespace db
