// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/transaction.hpp"

#include <condition_variable>
#include <mutex>
#include <random>
#include <thread>

namespace db {

namespace {

constexpr int attempts = 10;
constexpr int attempts_without_lane = 2;

void wait_a_moment(int lost) {
    thread_local std::minstd_rand generator{std::random_device{}()};
    const int most = 500 << std::min(lost, 5);
    std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution{0, most}(generator)));
}

// Transactions of this process run side by side, or one alone. Who wants to be alone keeps newcomers out.
class Crossing {
public:
    void enter() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return alone_ == 0; });
        ++inside_;
    }
    void leave() {
        std::lock_guard lock(mutex_);
        if (--inside_ == 0) changed_.notify_all();
    }
    void enter_alone() {
        std::unique_lock lock(mutex_);
        ++alone_;
        changed_.wait(lock, [this] { return inside_ == 0; });
        ++inside_;
    }
    void leave_alone() {
        std::lock_guard lock(mutex_);
        --alone_;
        --inside_;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int inside_ = 0, alone_ = 0;
};

Crossing crossing;

class Beside {
public:
    Beside() { crossing.enter(); }
    ~Beside() { crossing.leave(); }
    Beside(const Beside&) = delete;
};

// Those who lost several times go one after the other over all nodes, and alone in theirs, so that a row that
// everybody counts in turns nobody away. The lock belongs to the connection and is taken before the snapshot.
class Alone {
public:
    explicit Alone(Connection& connection) : connection_(connection) {
        connection_.script("SELECT pg_advisory_lock(4919131752989213764)");
        crossing.enter_alone();
    }
    ~Alone() {
        crossing.leave_alone();
        try {
            connection_.script("SELECT pg_advisory_unlock(4919131752989213764)");
        } catch (const std::exception&) {
            // The connection is gone, and the lock with it.
        }
    }
    Alone(const Alone&) = delete;

private:
    Connection& connection_;
};

std::vector<Announcement> run_once(
    Connection& connection, const Context& context, const std::function<void(Write&)>& change
) {
    return in_transaction(connection, Mode::write, [&] {
        Write session(connection, context);
        change(session);
        return std::move(session.announcements);
    });
}

}  // namespace

std::vector<Announcement> run_change(
    Connection& connection, const Context& context, const std::function<void(Write&)>& change,
    std::atomic<std::uint64_t>* retries
) {
    if (!connection.is_postgres()) return run_once(connection, context, change);
    for (int attempt = 1;; ++attempt) {
        try {
            std::variant<std::monostate, Beside, Alone> way;
            if (attempt <= attempts_without_lane) way.emplace<Beside>();
            else way.emplace<Alone>(connection);
            return run_once(connection, context, change);
        } catch (const Retry& lost) {
            if (attempt == attempts) throw Outage(std::string("lost too often: ") + lost.what());
        }
        if (retries) retries->fetch_add(1, std::memory_order_relaxed);
        wait_a_moment(attempt);
    }
}

}  // namespace db
