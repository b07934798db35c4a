// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/thread_pool.hpp"

#include "base/deadline.hpp"
#include "base/log.hpp"

#include <algorithm>
#include <exception>

namespace server {

ThreadPool::ThreadPool(int threads, int queue) : queue_(static_cast<std::size_t>(queue)) {
    if (threads == 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / 2);
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

void ThreadPool::stop() {
    queue_.close();
    queue_.drop();
    for (auto& thread : threads_) thread.join();
    threads_.clear();
}

void ThreadPool::work() {
    for (std::function<void()> task; queue_.pop(task); task = nullptr) {
        try {
            task();
        } catch (const base::Stopping&) {
            // Nobody waits for the result any more.
        } catch (const std::exception& e) {
            base::log_error("a task of a thread pool failed", {{"cause", e.what()}});
        }
    }
}

}  // namespace server
