// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/windows.hpp"

#include <algorithm>
#include <new>

namespace http {

namespace {

// calloc'ed pages are mapped only when first written, so an unused table takes no memory.
template <class T>
T* zeroed(std::uint32_t count) {
    auto* memory = static_cast<T*>(std::calloc(count, sizeof(T)));
    if (!memory) throw std::bad_alloc();
    return memory;
}

}  // namespace

Windows::Counted Windows::add(
    std::uint64_t key, std::int64_t window, std::int64_t limit, std::int64_t times
) {
    auto& s = shard_of(key);
    std::lock_guard lock(s.mutex);
    if (!s.counters) {
        s.counters.reset(zeroed<Counter>(capacity_ + 1));
        s.buckets.reset(zeroed<std::uint32_t>(capacity_));
    }
    auto at = find(s, key);
    if (!at) at = make(s, key, window);
    if (!at) return {limit, true};
    auto& counter = s.counters[at];
    if (counter.window < window) {
        unlink(s, at);
        counter.window = window;
        counter.count = 0;
        link_newest(s, at);
    }
    if (counter.count >= limit) return {limit, true};
    counter.count = static_cast<std::uint32_t>(std::min(counter.count + times, limit));
    return {counter.count, false};
}

std::int64_t Windows::count(std::uint64_t key, std::int64_t window) {
    auto& s = shard_of(key);
    std::lock_guard lock(s.mutex);
    if (!s.counters) return 0;
    auto at = find(s, key);
    return at && s.counters[at].window >= window ? s.counters[at].count : 0;
}

std::uint32_t Windows::find(Shard& s, std::uint64_t key) const {
    auto at = bucket_of(s, key);
    while (at && s.counters[at].key != key) at = s.counters[at].chained;
    return at;
}

std::uint32_t Windows::make(Shard& s, std::uint64_t key, std::int64_t window) const {
    auto at = room(s, window);
    if (!at) return 0;
    auto& first = bucket_of(s, key);
    s.counters[at] = {key, window, 0, first, 0, 0};
    first = at;
    link_newest(s, at);
    return at;
}

std::uint32_t Windows::room(Shard& s, std::int64_t window) const {
    bool full = s.used == capacity_;
    bool ended = s.oldest && s.counters[s.oldest].window < window;
    if (!ended && !full) return ++s.used;
    if (!ended && when_full_ == WhenFull::refuse) return 0;
    auto at = s.oldest;
    forget(s, at);
    return at;
}

void Windows::link_newest(Shard& s, std::uint32_t at) {
    auto& counter = s.counters[at];
    counter.older = s.newest;
    counter.newer = 0;
    (s.newest ? s.counters[s.newest].newer : s.oldest) = at;
    s.newest = at;
}

void Windows::unlink(Shard& s, std::uint32_t at) {
    const auto& counter = s.counters[at];
    (counter.older ? s.counters[counter.older].newer : s.oldest) = counter.newer;
    (counter.newer ? s.counters[counter.newer].older : s.newest) = counter.older;
}

void Windows::forget(Shard& s, std::uint32_t at) const {
    unlink(s, at);
    auto* link = &bucket_of(s, s.counters[at].key);
    while (*link != at) link = &s.counters[*link].chained;
    *link = s.counters[at].chained;
}

}  // namespace http
