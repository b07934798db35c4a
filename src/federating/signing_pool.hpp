// SPDX-License-Identifier: AGPL-3.0-or-later
// Threads that sign outgoing deliveries: an RSA signature is the most expensive part of a delivery, so the
// work is spread over all cores.
#pragma once
#include "base/fetch.hpp"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace server {

class SigningPool {
public:
    struct Signed {
        std::uint64_t tag = 0;
        base::Fetch request;  // without a URL if it could not be signed
    };
    using Work = std::function<base::Fetch()>;

    // `wake` is called on any thread when take() has something to return.
    explicit SigningPool(std::function<void()> wake) : wake_(std::move(wake)) {}
    ~SigningPool() { stop(); }

    void start(unsigned threads);
    void stop();  // discards what is waiting
    void sign(std::uint64_t tag, Work);
    std::vector<Signed> take();  // what was signed since the last call

private:
    struct Waiting {
        std::uint64_t tag;
        Work work;
    };
    void loop();

    const std::function<void()> wake_;
    std::mutex mutex_;
    std::condition_variable wake_up_;
    std::deque<Waiting> waiting_;
    std::vector<Signed> signed_;
    bool stopping_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace server
