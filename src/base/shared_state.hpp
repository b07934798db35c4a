// SPDX-License-Identifier: AGPL-3.0-or-later
// For the little state that the product keeps in memory for several threads: a mutex, a scoped lock, a
// counter, and a value computed once for all of them.
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

// A value computed from a version of something, kept for all threads until another version is requested.
// While one thread computes it, others that need it wait: computing it several times at once would take
// longer.
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
    // nullptr if that version is not stored.
    Made of(const Version& wanted) {
        const Hold hold(lock_);
        return value_ && version_ == wanted ? value_ : nullptr;
    }

private:
    Lock lock_;    // protects version_ and value_
    Lock making_;  // only one thread computes
    Version version_{};
    Made value_;
};

}  // namespace base
