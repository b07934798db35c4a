// SPDX-License-Identifier: AGPL-3.0-or-later
// A pool of threads behind a bounded queue. The one for passwords, images and keys owns nothing and waits for the CPU
// only; its queue is short, because a client waits for each of its tasks.
#pragma once
#include "db/queue.hpp"

#include <functional>
#include <thread>
#include <vector>

namespace server {

class ThreadPool {
public:
    ThreadPool(int threads, int queue);  // threads 0: half the cores
    ~ThreadPool() { stop(); }

    bool push(std::function<void()> task) { return queue_.push(std::move(task)); }  // false: too much waits
    std::size_t waiting() const { return queue_.size(); }
    std::size_t threads() const { return threads_.size(); }
    void stop();  // after what is under way; what waits is dropped, since nobody waits for it any more

private:
    void work();

    db::Queue<std::function<void()>> queue_;
    std::vector<std::thread> threads_;
};

}  // namespace server
