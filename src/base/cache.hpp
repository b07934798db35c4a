// SPDX-License-Identifier: AGPL-3.0-or-later
// A thread-safe cache of immutable values, limited in bytes. Keys contain a version that the reader gets from
// its own query, so nothing is ever invalidated: an old version is simply never requested again. Eviction is
// by generations: when the young half is full, the old half is dropped and the young becomes old.
#pragma once
#include <array>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace base {

struct VersionedKey {
    std::int64_t id = 0, version = 0;
    bool operator==(const VersionedKey&) const = default;
};

struct VersionedKeyHash {
    std::size_t operator()(const VersionedKey& k) const noexcept {
        auto h = static_cast<std::uint64_t>(k.id) * 0x9E3779B97F4A7C15ULL;
        return h ^ (h >> 32) ^ static_cast<std::uint64_t>(k.version) * 0xC2B2AE3D27D4EB4FULL;
    }
};

template <class Value>
class Cache {
public:
    explicit Cache(std::size_t bytes) : half_shard_(bytes / shards / 2) {}

    std::shared_ptr<const Value> find(VersionedKey key) {
        auto& shard = shard_of(key);
        std::lock_guard lock(shard.mutex);
        if (auto found = shard.young.find(key); found != shard.young.end()) return found->second.value;
        auto found = shard.old.find(key);
        if (found == shard.old.end()) return nullptr;
        auto entry = found->second;
        shard.old.erase(found);
        keep(shard, key, entry);
        return entry.value;
    }

    // `bytes`: the approximate size of the value.
    void put(VersionedKey key, std::shared_ptr<const Value> value, std::size_t bytes) {
        auto& shard = shard_of(key);
        std::lock_guard lock(shard.mutex);
        keep(shard, key, {std::move(value), bytes + 128});
    }

private:
    struct Entry {
        std::shared_ptr<const Value> value;
        std::size_t bytes;
    };
    using Map = std::unordered_map<VersionedKey, Entry, VersionedKeyHash>;
    struct Shard {
        std::mutex mutex;
        Map young, old;
        std::size_t young_bytes = 0;
    };
    static constexpr std::size_t shards = 16;

    Shard& shard_of(VersionedKey key) { return shards_[(VersionedKeyHash{}(key) >> 8) % shards]; }

    void keep(Shard& shard, VersionedKey key, Entry entry) {
        if (shard.young_bytes + entry.bytes > half_shard_) {
            shard.old = std::move(shard.young);
            shard.young.clear();
            shard.young_bytes = 0;
        }
        shard.young_bytes += entry.bytes;
        shard.young.insert_or_assign(key, std::move(entry));
    }

    std::size_t half_shard_;
    std::array<Shard, shards> shards_;
};

}  // namespace base
