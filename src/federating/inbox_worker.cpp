// SPDX-License-Identifier: AGPL-3.0-or-later
#include "federating/inbox_worker.hpp"

#include "base/deadline.hpp"
#include "db/write_gate.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace server {

namespace {

constexpr int batch = 128;
constexpr std::size_t looked_at_together = 16;  // in one snapshot, to share a round trip

// Waits until several changes have ended.
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

InboxWorker::InboxWorker(
    db::Engine& engine, const base::ExternalServices& services, federation::Handlers handlers,
    std::size_t together
)
    : engine_(engine),
      sessions_(jobs::sessions(engine, services)),
      handlers_(std::move(handlers)),
      together_(together),
      batches_("inbox", [this] { return batch_turn(); }),
      asking_("inbox that asks", [this] { return asking_turn(); }) {}

void InboxWorker::start(int threads, int asking) {
    batches_.start(threads);
    asking_.start(asking);
}

void InboxWorker::stop() {
    asking_.end();
    batches_.stop();
    asking_.stop();
}

// Whether another server must be asked turns out when an item is prepared.
void InboxWorker::wake() { batches_.wake(); }

jobs::Idle InboxWorker::batch_turn() {
    const db::Repeatable repeatable;  // an item's row exists until it is done
    jobs::Idle idle;
    auto items = lease(batch, false, idle);
    // Process everything that was leased, even at shutdown and after errors: otherwise it would wait for
    // minutes until the lease expires.
    std::exception_ptr error;
    while (!items.empty()) {
        try {
            take(items);
        } catch (...) {
            error = std::current_exception();
        }
    }
    if (error) std::rethrow_exception(error);
    return idle;
}

InboxWorker::Items InboxWorker::lease(int at_most, bool asking, jobs::Idle& idle) {
    Items items;
    sessions_.change("lease_inbox_items", [&](db::Write& db) {
        db.beside_others();
        idle.reset();
        items = federation::lease_items(db, at_most, asking);
        if (!items.empty()) return;
        auto next = federation::next_due(db, asking);
        idle = next ? std::chrono::milliseconds(next->ms - db.now().ms) : jobs::WorkSignal::longest;
    });
    if (std::ssize(items) == at_most) (asking ? asking_ : batches_).wake();
    return items;
}

void InboxWorker::look(db::Read& db, std::span<Prepared> some) const {
    const auto each = [&](const auto& what) {
        for (std::size_t i = 0; i < some.size(); ++i) {
            try {
                what(i);
            } catch (const base::Needs&) {
                some[i].asks = true;
            } catch (...) {
                some[i].error = std::current_exception();
            }
        }
    };
    for (auto& one : some) one.error = nullptr;
    std::vector<federation::Brought> brought(some.size());
    each([&](std::size_t i) { brought[i] = federation::read(some[i].item, handlers_, db.now()); });
    try {
        federation::look_ahead(db, brought);
    } catch (const base::Invalid&) {
        // One of the items has an invalid value: its own query will report that.
    }
    each([&](std::size_t i) {
        if (!some[i].error) some[i].doing = federation::prepare(base::Ask(), db, handlers_, brought[i]);
    });
}

void InboxWorker::take(Items& items) {
    const auto taken = std::exchange(items, {});
    std::vector<Prepared> prepared;
    for (const auto& item : taken)  // default for items that are not looked at: try later
        prepared.push_back({item, {}, std::make_exception_ptr(base::Unavailable()), false});
    std::vector<std::function<void(db::Read&)>> looks;
    for (std::span<Prepared> rest = prepared; !rest.empty();) {
        const auto some = rest.first(std::min(looked_at_together, rest.size()));
        rest = rest.subspan(some.size());
        looks.emplace_back([this, some](db::Read& db) { look(db, some); });
    }
    try {
        db::read_and_wait(engine_, looks);
    } catch (const base::Unavailable&) {  // some were not read
    }
    settle(std::move(prepared), batches_.stopping() ? nullptr : &items);
    if (std::ssize(items) == batch) batches_.wake();
}

jobs::Idle InboxWorker::asking_turn() {
    jobs::Idle idle;
    auto items = lease(1, true, idle);
    if (items.empty()) return idle;
    Prepared last{items[0], {}, nullptr, false};
    try {
        last.doing = sessions_.ask([&](const base::Ask& ask, db::Read& db) {
            const auto brought = federation::read(last.item, handlers_, db.now());
            federation::look_ahead(db, {&brought, 1});
            return federation::prepare(ask, db, handlers_, brought);
        });
    } catch (const base::Stopping&) {
        sessions_.change("give_back_inbox_item", [&](db::Write& db) {
            federation::give_back(db, last.item.id);
        });
        return idle;
    } catch (...) {
        last.error = std::current_exception();
    }
    std::vector<Prepared> one;
    one.push_back(std::move(last));
    settle(std::move(one));
    batches_.wake();  // items about the same object waited for it
    return idle;
}

// Applies prepared items, `together` of them per change, and leases the next ones.
void InboxWorker::make(std::span<Prepared*> all, std::size_t together, Items* next) {
    Gate gate((all.size() + together - 1) / together + (next ? 1 : 0));
    auto write = [&](const char* name, const auto& change, const auto& failed) {
        auto done = [&gate, failed](std::exception_ptr error) {
            if (error) failed(error);
            gate.pass();
        };
        if (!engine_.write(name, change, done)) done(std::make_exception_ptr(base::Unavailable()));
    };
    while (!all.empty()) {
        auto part = all.first(std::min(together, all.size()));
        all = all.subspan(part.size());
        auto change = [part](db::Write& db) {
            std::vector<federation::Ready> ready;
            for (const auto* one : part) ready.push_back({&one->item, &one->doing});
            federation::finish(db, ready);
        };
        write("inbox_items", change, [part](const std::exception_ptr& error) {
            for (auto* one : part) one->error = error;
        });
    }
    if (next) {
        auto change = [next](db::Write& db) {
            db.beside_others();
            *next = federation::lease_items(db, batch, false);
        };
        write("lease_inbox_items", change, [next](const std::exception_ptr&) { next->clear(); });
    }
    gate.wait();
}

void InboxWorker::settle(std::vector<Prepared> prepared, Items* next) {
    std::vector<federation::ItemId> asking;
    std::vector<Prepared*> able, alone;
    for (auto& one : prepared) {
        if (one.asks) asking.push_back(one.item.id);
        else if (!one.error) able.push_back(&one);
    }
    // Items that must run exclusively do not share a change with others.
    auto rest = std::ranges::stable_partition(able, [](const auto* one) { return one->doing.beside; });
    make({able.begin(), rest.begin()}, together_, next);
    make(rest, together_, nullptr);
    // Retries separately, because one item's failure must not affect the others.
    for (auto* one : able)
        if (std::exchange(one->error, nullptr)) alone.push_back(one);
    make(alone, 1, nullptr);
    bool all_done = asking.empty() &&
                    std::ranges::none_of(prepared, [](const auto& one) { return one.error != nullptr; });
    if (all_done) return;
    sessions_.change("settle_inbox_items", [&](db::Write& db) {
        db.beside_others();
        if (!asking.empty()) federation::ask_for(db, asking);
        for (const auto& one : prepared) {
            if (one.error) federation::settle_failure(db, one.item, one.error);
        }
    });
    if (!asking.empty()) asking_.wake();
}

}  // namespace server
