// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/recent_writers.hpp"

#include "http/limits.hpp"

#include <algorithm>
#include <utility>

namespace http {

namespace {

constexpr std::int64_t minute_ms = 60'000;

}  // namespace

std::uint64_t RecentWriters::key(std::string_view kind, std::string_view who) const {
    return hash_(std::string(kind) + std::string(who));
}

std::uint64_t RecentWriters::key(const Request& request, std::string_view token) const {
    if (!token.empty()) return key("token ", token);
    return key("address ", counted_address(request.remote_address));
}

// Entries without a known position (`newest`) simply expire.
void RecentWriters::forget_older(Shard& shard) {
    for (const auto& [key, position] : shard.before)
        if (position != db::newest) shard.forgotten = std::max(shard.forgotten, position);
    shard.before = std::exchange(shard.now, {});
}

void RecentWriters::advance(Shard& shard, std::int64_t minute) {
    for (int i = 0; i < 2 && shard.minute < minute; ++i) {
        forget_older(shard);
        ++shard.minute;
    }
    shard.minute = std::max(shard.minute, minute);
}

void RecentWriters::note(std::uint64_t key, db::Position position, base::Time now) {
    auto& shard = shards_[key % shards];
    const std::lock_guard lock(shard.mutex);
    advance(shard, now.ms / minute_ms);
    if (shard.now.size() >= most_of_shard) forget_older(shard);
    auto& known = shard.now[key];
    known = std::max(known, position);
}

void RecentWriters::note(
    const Request& request, std::string_view token, db::Position position, base::Time now
) {
    if (!token.empty()) note(key("token ", token), position, now);
    note(key("address ", counted_address(request.remote_address)), position, now);
}

db::Position RecentWriters::find(std::uint64_t key, std::int64_t minute) {
    auto& shard = shards_[key % shards];
    const std::lock_guard lock(shard.mutex);
    advance(shard, minute);
    auto position = shard.forgotten;
    for (const auto* entries : {&shard.now, &shard.before})
        if (const auto found = entries->find(key); found != entries->end())
            position = std::max(position, found->second);
    return position;
}

db::Position RecentWriters::seen_by(const Request& request, std::string_view token, base::Time now) {
    const auto minute = now.ms / minute_ms;
    auto position = find(key("address ", counted_address(request.remote_address)), minute);
    if (!token.empty()) position = std::max(position, find(key("token ", token), minute));
    return position;
}

}  // namespace http
