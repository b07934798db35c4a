// SPDX-License-Identifier: AGPL-3.0-or-later
#include "jobs/work_signal.hpp"

#include <algorithm>

namespace jobs {

void WorkSignal::wake() {
    {
        std::lock_guard lock(mutex_);
        woken_ = true;
    }
    changed_.notify_one();
}

void WorkSignal::begin() {
    std::lock_guard lock(mutex_);
    ended_ = false;
}

void WorkSignal::end() {
    {
        std::lock_guard lock(mutex_);
        ended_ = true;
    }
    changed_.notify_all();
}

bool WorkSignal::ended() {
    std::lock_guard lock(mutex_);
    return ended_;
}

bool WorkSignal::wait(Milliseconds at_most) {
    std::unique_lock lock(mutex_);
    look_at_ = Steady::now() + std::clamp(at_most, Milliseconds(1), longest);
    while ((!woken_ || gathering_) && !ended_ && Steady::now() < look_at_) {
        const auto until = look_at_;
        changed_.wait_until(lock, until);
    }
    if (woken_ && !gathering_ && moment_ > Milliseconds(0)) {
        gathering_ = true;
        changed_.wait_for(lock, moment_, [&] { return ended_; });
        gathering_ = false;
    }
    if (Steady::now() >= look_at_) look_at_ = Steady::now() + longest;
    woken_ = false;
    lock.unlock();
    // The remaining waiters may be waiting until a later time, so one of them must re-read look_at_.
    changed_.notify_one();
    return !ended();
}

}  // namespace jobs
