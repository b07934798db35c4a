// SPDX-License-Identifier: AGPL-3.0-or-later
// A bounded queue between threads. push() fails when it is full or closed; a closed queue still hands out
// what it holds.
#pragma once
#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

namespace db {

template <class T>
class Queue {
public:
    explicit Queue(std::size_t limit) : limit_(limit) {}

    bool push(T item) {
        bool wake;
        {
            std::lock_guard lock(mutex_);
            if (closed_ || items_.size() >= limit_) return false;
            items_.push_back(std::move(item));
            wake = sleepers_ > 0;
            if (wake) --sleepers_;
        }
        if (wake) wake_.notify_one();
        return true;
    }

    // Waits for an item. False when closed and empty.
    bool pop(T& item) {
        std::unique_lock lock(mutex_);
        wait(lock);
        if (items_.empty()) return false;
        item = std::move(items_.front());
        items_.pop_front();
        return true;
    }

    // Waits for an item, then takes all there are, at most `most`. False when closed and empty.
    bool pop_all(std::vector<T>& items, std::size_t most) {
        std::unique_lock lock(mutex_);
        wait(lock);
        for (; !items_.empty() && items.size() < most; items_.pop_front())
            items.push_back(std::move(items_.front()));
        return !items.empty();
    }

    // Waits for an item, then takes one of `takers` equal shares of the queue, at most `most`. False when
    // closed and empty.
    bool pop_share(std::vector<T>& items, std::size_t takers, std::size_t most) {
        std::unique_lock lock(mutex_);
        wait(lock);
        return take_share(items, takers, most);
    }

    // Like pop_share() without waiting. False when empty.
    bool try_pop_share(std::vector<T>& items, std::size_t takers, std::size_t most) {
        std::lock_guard lock(mutex_);
        return take_share(items, takers, most);
    }

    void close() {
        {
            std::lock_guard lock(mutex_);
            closed_ = true;
        }
        wake_.notify_all();
    }

    // Discards the queued items.
    void drop() {
        std::deque<T> dropped;
        std::lock_guard lock(mutex_);
        dropped.swap(items_);
    }

    std::size_t size() const {
        std::lock_guard lock(mutex_);
        return items_.size();
    }

private:
    bool take_share(std::vector<T>& items, std::size_t takers, std::size_t most) {
        auto share = std::min(most, items_.size() / takers + 1);
        for (; !items_.empty() && items.size() < share; items_.pop_front())
            items.push_back(std::move(items_.front()));
        return !items.empty();
    }
    // The thread that wakes a sleeper also decrements sleepers_, so that each new item wakes a different one.
    void wait(std::unique_lock<std::mutex>& lock) {
        while (items_.empty() && !closed_) {
            ++sleepers_;
            wake_.wait(lock);
        }
    }

    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<T> items_;
    const std::size_t limit_;
    std::size_t sleepers_ = 0;
    bool closed_ = false;
};

}  // namespace db
