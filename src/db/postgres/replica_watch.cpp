// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/postgres/replica_watch.hpp"

#include "base/log.hpp"
#include "db/worker.hpp"

namespace db {

namespace {

using std::chrono::milliseconds, std::chrono::seconds;

constexpr milliseconds between_looks{250}, patience{1000};
// A replica that lags more than too_late is left out until it lags less than late_no_more. One within `near`
// will shortly have what was just written.
constexpr milliseconds too_late{10'000}, late_no_more{5'000}, near{250};
constexpr seconds primary_pause{3}, to_begin{5};

std::int64_t ask(PostgresConnection& connection, const Query<std::int64_t>& sql) {
    const auto rows = connection.query(sql, {});
    return rows->next() ? rows->integer(0) : 0;
}

}  // namespace

const Query<std::int64_t> replayed_now{
    "replayed_now",
    "SELECT -1",
    R"(SELECT CASE WHEN pg_is_in_recovery() THEN COALESCE((pg_last_wal_replay_lsn() - '0/0')::bigint, 0) ELSE -1 END)"
};

// ---- how late it is ----

void ReplicaLag::primary_at(Position position, Clock::time_point now) {
    if (position <= primary_) return;
    primary_ = position;
    if (position <= replica_) return;
    // Only the oldest mark determines the lag.
    if (missing_.size() == most) missing_.back() = {position, now};
    else missing_.push_back({position, now});
}

void ReplicaLag::replica_at(Position position) {
    replica_ = position;
    while (!missing_.empty() && missing_.front().position <= position) missing_.pop_front();
}

milliseconds ReplicaLag::late(Clock::time_point now) const {
    if (missing_.empty()) return milliseconds(0);
    return std::chrono::duration_cast<milliseconds>(now - missing_.front().at);
}

std::uint64_t ReplicaLag::bytes() const { return primary_ > replica_ ? primary_.value - replica_.value : 0; }

// ---- the watch ----

ReplicaWatch::ReplicaWatch(std::shared_ptr<PostgresAddress> primary, std::shared_ptr<PostgresAddress> replica)
    : primary_(std::move(primary)), replica_(std::move(replica)) {
    for (auto* connection : {&primary_, &replica_}) connection->give_up_after(patience);
}

ReplicaWatch::~ReplicaWatch() { stop(); }

void ReplicaWatch::start(Position now) {
    floor_ = now;
    begun_ = Clock::now();
    look();
    thread_ = std::thread([this] { loop(); });
}

void ReplicaWatch::stop() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void ReplicaWatch::loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
        // A query that fails again and again must not cause polling without a pause.
        wake_.wait_for(lock, between_looks / 5, [this] { return ending_; });
        wake_.wait_for(lock, between_looks, [this] { return ending_ || hurry_; });
        if (ending_) return;
        hurry_ = false;
        lock.unlock();
        look();
        lock.lock();
    }
}

// Asks the primary first: what it has now, the replica may have by the time it is asked.
void ReplicaWatch::look() {
    if (Clock::now() >= primary_again_) {
        try {
            lag_.primary_at(end_of_last_change(ask(primary_, position_now)), Clock::now());
        } catch (const std::exception&) {
            // Meanwhile the replica is measured against the primary's last known position.
            primary_again_ = Clock::now() + primary_pause;
        }
    }
    std::string trouble;
    try {
        const auto replayed = ask(replica_, replayed_now);
        {
            const std::lock_guard lock(mutex_);
            host_ = replica_.host();
        }
        trouble = doubt(replayed);
    } catch (const std::exception&) {
        trouble = cause(std::current_exception());
    }
    decide(trouble);
}

bool ReplicaWatch::watches(const std::string& host) const {
    const std::lock_guard lock(mutex_);
    return host == host_;
}

std::string ReplicaWatch::doubt(std::int64_t replayed) {
    if (replayed < 0) return "it is no replica";
    const Position position{static_cast<std::uint64_t>(replayed)};
    replayed_ = position.value;
    lag_.replica_at(position);
    const auto late = lag_.late(Clock::now());
    late_ms_ = late.count();
    bytes_ = lag_.bytes();
    if (position < floor_) return "it has not yet what the primary had when this server started";
    if (late > (left_out_ ? late_no_more : too_late))
        return "it is " + std::to_string(late.count() / 1000) + " s behind";
    return {};
}

// Right after the start, the replica may not have the latest migrations yet.
bool ReplicaWatch::has_just_begun() const {
    return replayed_ > 0 && replayed_ < floor_.value && Clock::now() < begun_ + to_begin;
}

void ReplicaWatch::decide(const std::string& doubt) {
    const bool was_out = left_out_.exchange(!doubt.empty());
    if (!doubt.empty()) {
        if (!was_out) ++times_left_out_;
        if (!has_just_begun() && !std::exchange(told_, true))
            base::log_warning("the replica is left out, the primary serves all", {{"cause", doubt}});
    } else if (std::exchange(told_, false)) {
        base::log_info("the replica serves again");
    }
}

ReplicaWatch::May ReplicaWatch::serve(Position at_least) const {
    if (left_out_ || at_least == newest) return May::no;
    if (at_least.value <= replayed_) return May::yes;
    return milliseconds(late_ms_) < near ? May::maybe : May::no;
}

void ReplicaWatch::replayed(Position position) {
    for (auto known = replayed_.load(); known < position.value;)
        if (replayed_.compare_exchange_weak(known, position.value)) return;
}

void ReplicaWatch::failed() {
    if (!left_out_.exchange(true)) ++times_left_out_;
    {
        const std::lock_guard lock(mutex_);
        hurry_ = true;
    }
    wake_.notify_all();
}

Stats::Replica ReplicaWatch::figures() const {
    Stats::Replica now;
    now.serves = !left_out_;
    now.late = milliseconds(late_ms_);
    now.bytes_behind = bytes_;
    now.left_out = times_left_out_;
    return now;
}

}  // namespace db
