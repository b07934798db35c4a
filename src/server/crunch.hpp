// SPDX-License-Identifier: AGPL-3.0-or-later
// The crunch threads: passwords, images, keys. They own nothing and wait for the CPU only; the queue before them
// is short, because who waits here has a client waiting.
#pragma once
#include "db/queue.hpp"

#include <functional>
#include <thread>
#include <vector>

namespace server {

class Crunch {
public:
    Crunch(int threads, int queue);  // threads 0: half the cores
    ~Crunch() { stop(); }

    bool push(std::function<void()> task) { return queue_.push(std::move(task)); }  // false: too much waits
    std::size_t waiting() const { return queue_.size(); }
    void stop();  // after what is under way; what waits is dropped, since nobody waits for it any more

private:
    void work();

    db::Queue<std::function<void()>> queue_;
    std::vector<std::thread> threads_;
};

}  // namespace server
