// SPDX-License-Identifier: AGPL-3.0-or-later
#include "federating/signing_pool.hpp"

#include "base/log.hpp"

namespace server {

namespace {

base::Fetch result_of(const SigningPool::Work& work) {
    try {
        return work();
    } catch (const std::exception& e) {
        base::log_error("a delivery cannot be signed", {{"cause", e.what()}});
        return {};
    }
}

}  // namespace

void SigningPool::start(unsigned threads) {
    stopping_ = false;
    for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { loop(); });
}

void SigningPool::stop() {
    {
        std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_up_.notify_all();
    for (auto& thread : threads_) thread.join();
    threads_.clear();
}

void SigningPool::sign(std::uint64_t tag, Work work) {
    {
        std::lock_guard lock(mutex_);
        waiting_.push_back({tag, std::move(work)});
    }
    wake_up_.notify_one();
}

std::vector<SigningPool::Signed> SigningPool::take() {
    std::lock_guard lock(mutex_);
    return std::exchange(signed_, {});
}

void SigningPool::loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_up_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
        if (stopping_) return;
        auto next = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        Signed done{next.tag, result_of(next.work)};
        lock.lock();
        signed_.push_back(std::move(done));
        if (signed_.size() > 1) continue;
        lock.unlock();
        wake_();
        lock.lock();
    }
}

}  // namespace server
