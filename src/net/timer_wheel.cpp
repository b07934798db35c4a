// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/timer_wheel.hpp"

#include <algorithm>

namespace net {

void TimerWheel::set(Entry& entry, Clock::time_point now, Clock::duration after) {
    entry.deadline_ = now + after;
    if (entry.is_linked()) {
        if (tick_of(entry.deadline_) + 1 >= entry.looked_at_) return;
        entry.unlink();
    }
    place(entry);
}

void TimerWheel::place(Entry& entry) {
    entry.looked_at_ = std::clamp(tick_of(entry.deadline_) + 1, hand_ + 1, hand_ + slots - 1);
    wheel_[static_cast<std::size_t>(entry.looked_at_ % slots)].push_back(entry);
}

void TimerWheel::advance(Clock::time_point now) {
    const auto target = tick_of(now);
    Slot due;
    for (auto steps = std::min(target - hand_, slots); steps > 0; --steps)
        due.splice(due.end(), wheel_[static_cast<std::size_t>((target - steps + 1) % slots)]);
    hand_ = std::max(hand_, target);
    while (!due.empty()) {
        auto& entry = due.front();
        due.pop_front();
        if (entry.deadline_ == Clock::time_point::max()) continue;
        if (entry.deadline_ > now) {
            place(entry);
            continue;
        }
        entry.deadline_ = Clock::time_point::max();
        entry.expire();
    }
}

bool TimerWheel::empty() const {
    return std::all_of(wheel_.begin(), wheel_.end(), [](const Slot& slot) { return slot.empty(); });
}

}  // namespace net
