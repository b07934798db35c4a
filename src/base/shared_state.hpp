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

// A value worked out of a version of something, kept for all threads until another version is asked for. While one thread
// makes it, others that need the same wait: each making its own would take all of them longer.
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
        version_ = wanted;
        value_ = made;
        return made;
    }
    // Null where it is not kept.
    Made of(const Version& wanted) {
        const Hold hold(lock_);
        return value_ && version_ == wanted ? value_ : nullptr;
    }

private:
    Lock lock_;    // of both
    Lock making_;  // one is made at a time
    Version version_{};
    Made value_;
};

}  // namespace base
