// SPDX-License-Identifier: AGPL-3.0-or-later
// The counters of one rate limit: how often each key was counted in the current window. Each count takes
// constant time, however many keys there are; memory is bounded and allocated as needed.
#pragma once
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>

namespace http {

class Windows {
public:
    // What to do with a new key when all counters are in use by current windows. `drop_oldest` discards a
    // counter; `refuse` never does, for limits that protect a secret.
    enum class WhenFull { drop_oldest, refuse };

    // `capacity` must be a power of two of at least 16. Keys must be hashes that attackers cannot choose.
    Windows(std::uint32_t capacity, WhenFull when_full)
        : capacity_(capacity / shards), when_full_(when_full) {}

    struct Counted {
        std::int64_t count = 0;
        bool refused = false;
    };
    // Counts `times`, up to `limit`; if that is already reached, it refuses and changes nothing. `window` is
    // the number of the current window.
    Counted add(std::uint64_t key, std::int64_t window, std::int64_t limit, std::int64_t times = 1);
    std::int64_t count(std::uint64_t key, std::int64_t window);

private:
    // Links are indices into the same array; 0 is none.
    struct Counter {
        std::uint64_t key;
        std::int64_t window;
        std::uint32_t count;
        std::uint32_t chained;       // the next one in the bucket
        std::uint32_t older, newer;  // in the order in which their windows began
    };
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    struct Shard {
        std::mutex mutex;
        std::unique_ptr<Counter[], Free> counters;
        std::unique_ptr<std::uint32_t[], Free> buckets;
        std::uint32_t used = 0, oldest = 0, newest = 0;
    };
    static constexpr std::uint32_t shards = 8;

    Shard& shard_of(std::uint64_t key) { return shards_[key >> 61]; }
    std::uint32_t& bucket_of(Shard& s, std::uint64_t key) const { return s.buckets[key & (capacity_ - 1)]; }
    std::uint32_t find(Shard&, std::uint64_t key) const;
    std::uint32_t make(Shard&, std::uint64_t key, std::int64_t window) const;  // 0: no room
    std::uint32_t room(Shard&, std::int64_t window) const;
    static void link_newest(Shard&, std::uint32_t);
    static void unlink(Shard&, std::uint32_t);
    void forget(Shard&, std::uint32_t) const;

    const std::uint32_t capacity_;  // per shard
    const WhenFull when_full_;
    std::array<Shard, shards> shards_;
};

}  // namespace http
