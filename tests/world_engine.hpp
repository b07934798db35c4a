// SPDX-License-Identifier: AGPL-3.0-or-later
// Replacements for threads and observers for tests: an engine that does everything immediately, a connection
// that counts, and a sink that records events. Private to world.cpp.
#pragma once
#include "db/engine.hpp"
#include "db/transaction.hpp"

#include <deque>

namespace stage {

class AtOnce : public db::Engine {
public:
    AtOnce(db::Connection& connection, const db::Context& context)
        : connection_(connection), context_(context) {}

    bool read(std::function<void(db::Read&)> job, db::Position) override {
        // Anything that a job starts runs after it, outside its transaction.
        return later([this, job = std::move(job)] { db::read_now(connection_, context_, job); });
    }
    bool write(
        const char*, std::function<void(db::Write&)> change, std::function<void(std::exception_ptr)> done
    ) override {
        return later([this, change = std::move(change), done = std::move(done)] {
            std::exception_ptr error;
            try {
                auto news = db::run_change(connection_, context_, change);
                if (announced) announced(std::move(news));
            } catch (...) {
                error = std::current_exception();
            }
            done(error);
        });
    }
    // Announcements reach the streams.
    void change(const std::function<void(db::Write&)>& f) {
        std::exception_ptr error;
        write("", f, [&](std::exception_ptr thrown) { error = thrown; });
        if (error) std::rethrow_exception(error);
    }
    bool later(std::function<void()> task) {
        tasks_.push_back(std::move(task));
        if (running_) return true;
        running_ = true;
        while (!tasks_.empty()) {
            auto next = std::move(tasks_.front());
            tasks_.pop_front();
            next();
        }
        running_ = false;
        return true;
    }

    std::function<void(std::vector<db::Announcement>)> announced;

private:
    db::Connection& connection_;
    const db::Context& context_;
    std::deque<std::function<void()>> tasks_;
    bool running_ = false;
};

class Counting : public db::Connection {
public:
    explicit Counting(std::unique_ptr<db::Connection> real) : real_(std::move(real)) {}

    std::unique_ptr<db::Rows> query(const db::Sql& sql, std::span<const db::Value> values) override {
        ++count;
        return real_->query(sql, values);
    }
    std::int64_t execute(const db::Sql& sql, std::span<const db::Value> values) override {
        ++count;
        return real_->execute(sql, values);
    }
    std::int64_t send(const db::Sql& sql, std::span<const db::Value> values) override {
        ++count;
        return real_->send(sql, values);
    }
    void prefetch(const db::Sql& sql, std::span<const db::Value> values) override {
        real_->prefetch(sql, values);
    }
    std::int64_t changed_by(std::int64_t sent) override { return real_->changed_by(sent); }
    void send_last(const db::Sql& sql, std::span<const db::Value> values) override {
        ++count;
        real_->send_last(sql, values);
    }
    void beside_others() override { real_->beside_others(); }
    void lock(std::span<const db::Lock> all) override { real_->lock(all); }
    void script(const std::string& statements) override { real_->script(statements); }
    std::vector<std::string> columns(const db::Sql& sql) override { return real_->columns(sql); }
    bool is_postgres() const override { return real_->is_postgres(); }
    void begin(db::Mode mode) override { real_->begin(mode); }
    void commit() override { real_->commit(); }
    void rollback() noexcept override { real_->rollback(); }

    int count = 0;

private:
    std::unique_ptr<db::Connection> real_;
};

// Records each event before passing it to the reactions.
class Spy : public db::EventSink {
public:
    explicit Spy(db::EventSink& next) : next_(next) {}

    void emitted(db::Write& db, std::type_index type, const void* event) override {
        if (!tacit(type)) seen.push_back(told(type, event));
        next_.emitted(db, type, event);
    }
    std::vector<std::pair<std::string, std::string>> seen;  // name, JSON

private:
    // Notified follows nearly every event; tests look at the notifications instead.
    static bool tacit(std::type_index type);
    static std::pair<std::string, std::string> told(std::type_index type, const void* event);
    db::EventSink& next_;
};

}  // namespace stage
