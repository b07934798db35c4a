// SPDX-License-Identifier: AGPL-3.0-or-later
// A running engine over one table of numbers, and calls that wait for it.
#pragma once
#include "support/database.hpp"

#include <future>
#include <mutex>

namespace numbers {

inline const db::Command insert{"test_numbers_insert", "INSERT INTO numbers (id, n) VALUES ($1, $2)"};
inline const db::Command set{"test_numbers_set", "UPDATE numbers SET n = $2 WHERE id = $1"};
inline const db::Query<std::int64_t> of{"test_numbers_of", "SELECT n FROM numbers WHERE id = $1"};
inline const db::Query<std::int64_t> count{"test_numbers_count", "SELECT count(*) FROM numbers"};
inline const db::Query<std::int64_t> ids{"test_numbers_ids", "SELECT id FROM numbers ORDER BY id"};

inline constexpr const char* schema = "CREATE TABLE numbers (id BIGINT PRIMARY KEY, n BIGINT NOT NULL)";

}  // namespace numbers

class EngineFixture : public support::OnEachDatabase {
protected:
    EngineFixture() {
        database.options.readers = 2;
        database.options.prepare = [](db::Connection& connection) { connection.script(numbers::schema); };
        database.options.announced = [this](std::vector<db::Announcement> news) {
            std::lock_guard lock(mutex_);
            for (auto& one : news) heard_.push_back(one.event);
        };
    }
    ~EngineFixture() override { engine.reset(); }

    void start() {
        engine = db::open_engine(database.options);
        engine->start();
    }

    using Outcome = std::future<void>;  // get() throws what the change threw
    Outcome post(std::function<void(db::Write&)> change) {
        return post_by(&db::Engine::write, std::move(change));
    }
    Outcome post_together(std::function<void(db::Write&)> change) {
        return post_by(&db::Engine::write_together, std::move(change));
    }
    Outcome post_by(decltype(&db::Engine::write) by, std::function<void(db::Write&)> change) {
        auto promise = std::make_shared<std::promise<void>>();
        auto outcome = promise->get_future();
        auto done = [promise](std::exception_ptr error) {
            error ? promise->set_exception(error) : promise->set_value();
        };
        const bool taken = (*engine.*by)("test", std::move(change), done);
        if (!taken) promise->set_exception(std::make_exception_ptr(std::runtime_error("refused")));
        return outcome;
    }
    void write(std::function<void(db::Write&)> change) { post(std::move(change)).get(); }

    template <class F>
    auto read(F f, db::Position at_least = db::newest) {
        using Result = std::invoke_result_t<F&, db::Read&>;
        auto promise = std::make_shared<std::promise<Result>>();
        auto result = promise->get_future();
        const bool taken = engine->read(
            [promise, f](db::Read& db) {
                try {
                    promise->set_value(f(db));
                } catch (...) {
                    promise->set_exception(std::current_exception());
                }
            },
            at_least
        );
        if (!taken) throw std::runtime_error("refused");
        return result.get();
    }
    std::vector<std::int64_t> ids() {
        return read([](db::Read& db) { return db.all(numbers::ids); });
    }
    std::vector<std::string> heard() {
        std::lock_guard lock(mutex_);
        return heard_;
    }

    std::unique_ptr<db::RunningEngine> engine;

private:
    std::mutex mutex_;
    std::vector<std::string> heard_;
};

// Holds a thread of the engine until opened.
struct Gate {
    std::promise<void> entered, opened;
    std::shared_future<void> open = opened.get_future().share();
    void pass() {
        entered.set_value();
        open.wait();
    }
};
