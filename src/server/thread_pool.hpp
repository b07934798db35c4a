// SPDX-License-Identifier: AGPL-3.0-or-later
// A pool of threads with a bounded queue. The pool for passwords, images and keys holds no resources and uses
// only the CPU; its queue is short, because a client waits for each task.
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

    bool push(std::function<void()> task) { return queue_.push(std::move(task)); }  // false: queue is full
    std::size_t waiting() const { return queue_.size(); }
    std::size_t threads() const { return threads_.size(); }
    void stop();  // finishes running tasks; drops queued ones, as nobody waits for them any more

private:
    void work();

    db::Queue<std::function<void()>> queue_;
    std::vector<std::thread> threads_;
};

}  // namespace server
