// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/session.hpp"

#include "db/worker.hpp"

#include <random>

namespace db {

namespace {

// The upper sixteenth is left free for the ids that follow within the same millisecond.
std::int64_t random_start() {
    thread_local std::minstd_rand generator{std::random_device{}()};
    return std::uniform_int_distribution<std::int64_t>{0, 0xefff}(generator);
}

}  // namespace

std::int64_t IdSequence::next(base::Time now) {
    const std::int64_t fresh = (((now.ms << 16) | random_start()) + step_ - 1) / step_ * step_;
    std::int64_t last = last_.load(std::memory_order_relaxed);
    std::int64_t chosen;
    do {
        chosen = now.ms > (last >> 16) ? fresh : last + step_;
    } while (!last_.compare_exchange_weak(last, chosen, std::memory_order_relaxed));
    return chosen;
}

std::unordered_map<std::string, std::any>* Read::memoized_entries() {
    constexpr std::size_t most = 4096;
    if (!is_committed_) return nullptr;
    auto version = connection_.version();
    if (!version) return &of_snapshot_;
    auto& memory = connection_.memory;
    if (memory.version != *version || memory.entries.size() >= most) memory = {*version, {}};
    return &memory.entries;
}

std::int64_t Write::next_id(base::Time now) {
    static IdSequence sequence;
    return sequence.next(now);
}

std::int64_t Write::next_id_of_double(base::Time now) {
    static IdSequence sequence(double_step);
    return sequence.next(now);
}

void throw_unknown_word(std::string_view word) {
    throw std::runtime_error("the database holds the unknown word " + std::string(word));
}

}  // namespace db
