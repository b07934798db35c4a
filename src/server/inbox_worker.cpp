// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/inbox_worker.hpp"

#include "base/log.hpp"
#include "server/federating.hpp"

#include <algorithm>
#include <chrono>

namespace server {

namespace {

constexpr int batch = 128;
constexpr jobs::Rest::Milliseconds after_trouble{1000};

std::string words_of(std::exception_ptr thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const std::exception& e) {
        return e.what();
    } catch (...) {
        return "unknown";
    }
}

// Waits until all of several changes have ended.
class Gate {
public:
    explicit Gate(std::size_t count) : left_(count) {}
    void pass() {
        std::lock_guard lock(mutex_);
        if (--left_ == 0) open_.notify_all();
    }
    void wait() {
        std::unique_lock lock(mutex_);
        open_.wait(lock, [&] { return left_ == 0; });
    }

private:
    std::mutex mutex_;
    std::condition_variable open_;
    std::size_t left_;
};

}  // namespace

InboxWorker::InboxWorker(db::Engine& engine, const base::Outside& outside, federation::Handlers handlers)
    : engine_(engine), sessions_(sessions(engine, outside)), handlers_(std::move(handlers)) {}

void InboxWorker::start(int asking) {
    for (auto& rest : rest_) rest.begin();
    threads_.emplace_back([this] { loop(false); });
    for (int i = 0; i < asking; ++i) threads_.emplace_back([this] { loop(true); });
}

void InboxWorker::stop() {
    for (auto& rest : rest_) rest.end();
    for (auto& thread : threads_) thread.join();
    threads_.clear();
}

// Whether another server has to be asked shows when an item is prepared.
void InboxWorker::wake() { rest_[false].wake(); }

void InboxWorker::loop(bool asking) {
    for (bool going = true; going;) {
        bool worked = false;
        auto next_due = jobs::Rest::longest;
        try {
            worked = asking ? asking_turn(next_due) : turn(next_due);
        } catch (const std::exception& e) {
            base::log_error("the inbox waits", {{"cause", e.what()}});
            next_due = after_trouble;
        }
        going = worked ? !rest_[asking].ended() : rest_[asking].wait(next_due);
    }
}

std::vector<federation::Item> InboxWorker::lease(
    int at_most, bool asking, jobs::Rest::Milliseconds& next_due
) {
    std::vector<federation::Item> items;
    sessions_.change("lease_inbox_items", [&](db::Write& db) {
        items = federation::lease_items(db, at_most, asking);
        if (!items.empty()) return;
        if (auto next = federation::next_due(db, asking))
            next_due = jobs::Rest::Milliseconds(next->ms - db.now().ms);
    });
    if (std::ssize(items) == at_most) rest_[asking].wake();
    return items;
}

InboxWorker::Prepared InboxWorker::ready(db::Read& db, const federation::Item& item) const {
    Prepared out{item, {}, nullptr, false};
    try {
        out.change = federation::prepare(base::Ask(), db, handlers_, item);
    } catch (const base::Needs&) {
        out.asks = true;
    } catch (...) {
        out.error = std::current_exception();
    }
    return out;
}

bool InboxWorker::turn(jobs::Rest::Milliseconds& next_due) {
    auto items = lease(batch, false, next_due);
    if (items.empty()) return false;
    std::vector<Prepared> prepared;
    sessions_.look([&](db::Read& db) {
        for (const auto& item : items) prepared.push_back(ready(db, item));
    });
    settle(std::move(prepared));
    return true;
}

bool InboxWorker::asking_turn(jobs::Rest::Milliseconds& next_due) {
    auto items = lease(1, true, next_due);
    if (items.empty()) return false;
    Prepared last{items[0], {}, nullptr, false};
    try {
        last.change = sessions_.ask([&](const base::Ask& ask, db::Read& db) {
            return federation::prepare(ask, db, handlers_, last.item);
        });
    } catch (...) {
        last.error = std::current_exception();
    }
    std::vector<Prepared> one;
    one.push_back(std::move(last));
    settle(std::move(one));
    rest_[false].wake();  // what is about the same thing waited for it
    return true;
}

void InboxWorker::settle(std::vector<Prepared> prepared) {
    std::vector<federation::ItemId> asking;
    Gate gate(prepared.size());
    for (auto& one : prepared) {
        if (one.asks) asking.push_back(one.item.id);
        if (one.asks || one.error) {
            gate.pass();
            continue;
        }
        auto make = [&one](db::Write& db) { federation::finish(db, one.item, one.change); };
        auto done = [&one, &gate](std::exception_ptr error) {
            one.error = error;
            gate.pass();
        };
        if (!engine_.write("inbox_item", make, done)) done(std::make_exception_ptr(base::Unavailable()));
    }
    gate.wait();
    bool all_done = asking.empty() &&
                    std::ranges::none_of(prepared, [](const auto& one) { return one.error != nullptr; });
    if (all_done) return;
    sessions_.change("settle_inbox_items", [&](db::Write& db) {
        if (!asking.empty()) federation::ask_for(db, asking);
        for (const auto& one : prepared) {
            if (!one.error) continue;
            if (federation::may_pass(one.error)) federation::postpone(db, one.item, words_of(one.error));
            else federation::remove_item(db, one.item.id);
        }
    });
    if (!asking.empty()) rest_[true].wake();
}

}  // namespace server
