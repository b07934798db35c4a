// SPDX-License-Identifier: AGPL-3.0-or-later
// For the little that the product keeps in memory and several threads touch: a lock, held for a scope, a count, and what is made once
// for all of them.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

namespace base {

using Lock = std::mutex;
using Hold = std::lock_guard<Lock>;
using Count = std::atomic<std::uint64_t>;

// A value worked out of a version of something, kept for all threads: of the last two versions that were asked for, as a replica
// is behind for a while. While one thread makes it, others that need the same wait: each making its own would take all longer.
template <class Value, class Version>
class MadeOnce {
public:
    using Made = std::shared_ptr<const Value>;

    template <class Make>
    Made get(const Version& wanted, Make&& make) {
        if (auto known = of(wanted)) return known;
        const Hold alone(making_);
        if (auto known = of(wanted)) return known;
        Made made = std::forward<Make>(make)();
        const Hold hold(lock_);
        before_ = std::exchange(last_, {wanted, made});
        return made;
    }
    // Null where it is not kept.
    Made of(const Version& wanted) {
        const Hold hold(lock_);
        for (const auto* one : {&last_, &before_})
            if (one->value && one->version == wanted) return one->value;
        return nullptr;
    }

private:
    Lock lock_;    // of both
    Lock making_;  // one is made at a time
    struct Kept {
        Version version{};
        Made value;
    };
    Kept last_, before_;
};

}  // namespace base
