// SPDX-License-Identifier: AGPL-3.0-or-later
// Two changes on one PostgreSQL, one of which stands still before its n-th statement while the other runs as far as it can:
// to its end, or until it waits for the first.
#pragma once
#include "db/open.hpp"
#include "jobs/reactions.hpp"
#include "world.hpp"

#include <condition_variable>
#include <future>
#include <mutex>

namespace isolation {

using Change = std::function<void(db::Write&)>;

// Passes everything on, and stops before one statement until it is let go.
class Halting : public db::Connection {
public:
    explicit Halting(std::unique_ptr<db::Connection> real) : real_(std::move(real)) {}

    void halt_before(int statement) {
        left_ = statement;
        halted_ = go_ = false;
    }
    // False when the work ended before it came so far.
    bool wait_until_halted(const std::future<void>& work) {
        using namespace std::chrono_literals;
        for (;;) {
            {
                std::unique_lock lock(mutex_);
                if (changed_.wait_for(lock, 1ms, [&] { return halted_; })) return true;
            }
            if (work.wait_for(0ms) == std::future_status::ready) return false;
        }
    }
    void go_on() {
        std::lock_guard lock(mutex_);
        go_ = true;
        changed_.notify_all();
    }

    std::unique_ptr<db::Rows> query(const db::Sql& sql, std::span<const db::Value> values) override {
        step();
        return real_->query(sql, values);
    }
    void ask_ahead(const db::Sql& sql, std::span<const db::Value> values) override {
        real_->ask_ahead(sql, values);
    }
    std::int64_t execute(const db::Sql& sql, std::span<const db::Value> values) override {
        step();
        return real_->execute(sql, values);
    }
    // What is not waited for is sent with the next question: here at once, so that it can be stopped behind.
    std::int64_t send(const db::Sql& sql, std::span<const db::Value> values) override {
        step();
        const auto sent = real_->send(sql, values);
        real_->changed_by(sent);
        return sent;
    }
    std::int64_t changed_by(std::int64_t sent) override { return real_->changed_by(sent); }
    void send_last(const db::Sql& sql, std::span<const db::Value> values) override {
        real_->send_last(sql, values);
    }
    void script(const std::string& statements) override { real_->script(statements); }
    std::vector<std::string> columns(const db::Sql& sql) override { return real_->columns(sql); }
    bool is_postgres() const override { return true; }
    void begin(db::Mode mode) override { real_->begin(mode); }
    void beside_others() override { real_->beside_others(); }
    void lock(std::span<const db::Lock> all) override { real_->lock(all); }
    void commit() override {
        step();
        real_->commit();
    }
    void rollback() noexcept override { real_->rollback(); }

private:
    void step() {
        std::unique_lock lock(mutex_);
        if (left_ < 0 || left_-- > 0) return;
        halted_ = true;
        changed_.notify_all();
        changed_.wait(lock, [&] { return go_; });
    }

    std::unique_ptr<db::Connection> real_;
    std::mutex mutex_;
    std::condition_variable changed_;
    int left_ = -1;
    bool halted_ = false, go_ = false;
};

// How a change ended.
enum class End { done, refused };

class Isolation : public testing::Test {
protected:
    void SetUp() override {
        if (!support::postgres_url()) GTEST_SKIP() << "needs PostgreSQL";
        w_ = std::make_unique<World>(support::Database::postgres);
        context_ = {&w_->site(), [this] { return w_->now(); }, &w_->reactions()};
        held_ = std::make_unique<Halting>(open());
        free_ = open();
    }

    // Makes both changes, in all ways in which one of them stands still once; after each way `check` looks at what became
    // of it. `prepare` makes anew what they are about.
    void interleave(
        const std::function<void()>& prepare, const Change& one, const Change& other,
        const std::function<void(End, End)>& check
    ) {
        EXPECT_GT(halt_each(prepare, one, other, check), 1);
        EXPECT_GT(halt_each(prepare, other, one, [&](End a, End b) { check(b, a); }), 1);
    }

    World& w() { return *w_; }

    std::int64_t count(const std::string& sql) {
        const auto connection = open();
        // A temporary view has the name of nothing else, and one statement serves all questions.
        connection->script(
            "CREATE OR REPLACE TEMPORARY VIEW counted AS SELECT CAST((" + sql + ") AS BIGINT) AS n"
        );
        const auto rows = connection->query(counted(), {});
        rows->next();
        return rows->integer(0);
    }

private:
    static const db::Query<std::int64_t>& counted() {
        static const db::Query<std::int64_t> sql{"test_counted", "", "SELECT n FROM counted"};
        return sql;
    }
    static const db::Query<std::string>& database_name() {
        static const db::Query<std::string> sql{
            "test_database_name", "", "SELECT CAST(current_database() AS TEXT)"
        };
        return sql;
    }
    static const db::Query<bool>& anybody_waits() {
        static const db::Query<bool> sql{
            "test_anybody_waits",
            "",
            "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND "
            "wait_event_type = 'Lock')"
        };
        return sql;
    }

    std::unique_ptr<db::Connection> open() {
        const auto name = w_->read([](db::Read& db) { return db.one(database_name()); });
        const std::string url = support::postgres_url();
        db::Options options;
        options.postgres_url = url + (url.find('?') == url.npos ? "?" : "&") + "dbname=" + name;
        return db::open_connection(options, db::Mode::write);
    }

    End run(db::Connection& connection, const Change& change) {
        try {
            db::run_change(connection, context_, change);
            return End::done;
        } catch (const base::Error&) {
            return End::refused;
        } catch (const db::Duplicate&) {
            return End::refused;
        }
    }

    void wait_for(const std::future<void>& work) {
        using namespace std::chrono_literals;
        while (work.wait_for(1ms) != std::future_status::ready)
            if (w_->read([](db::Read& db) { return db.one(anybody_waits()); })) return;
    }

    int halt_each(
        const std::function<void()>& prepare, const Change& held, const Change& free,
        const std::function<void(End, End)>& check
    ) {
        for (int statement = 0;; ++statement) {
            SCOPED_TRACE("the one stands still before its statement " + std::to_string(statement));
            prepare();
            End first = End::refused, second = End::refused;
            held_->halt_before(statement);
            auto work = std::async(std::launch::async, [&] { first = run(*held_, held); });
            const bool halted = held_->wait_until_halted(work);
            auto beside = std::async(std::launch::async, [&] { second = run(*free_, free); });
            wait_for(beside);
            held_->go_on();
            work.get();
            beside.get();
            check(first, second);
            if (!halted || HasFailure()) return statement;
        }
    }

    std::unique_ptr<World> w_;
    db::Context context_;
    std::unique_ptr<Halting> held_;
    std::unique_ptr<db::Connection> free_;
};

}  // namespace isolation
