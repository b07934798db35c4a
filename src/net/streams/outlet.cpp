// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/streams/outlet.hpp"

#include <algorithm>
#include <utility>

#include "net/streams/open_stream.hpp"

namespace net {

Outlet::Outlet(std::weak_ptr<OpenStream> stream, std::shared_ptr<Worker> worker, std::size_t most_bytes)
    : most_bytes_(most_bytes), stream_(std::move(stream)), worker_(std::move(worker)) {}

void Outlet::send(http::Bytes message) {
    std::unique_lock hold(lock_);
    if (end_) return;
    if (bytes_ + message->size() > most_bytes_) {
        waiting_ = {};
        bytes_ = 0;
        overrun_ = true;
        woken_ = false;  // it waits for the reader; this must wake it
        end_ = http::Close::policy;
    } else {
        bytes_ += message->size();
        waiting_.push_back(std::move(message));
    }
    wake(hold);
}

void Outlet::close(http::Close why) {
    std::unique_lock hold(lock_);
    if (end_) return;
    end_ = why;
    wake(hold);
}

// Wakes the stream once for everything that arrives until it looks.
void Outlet::wake(std::unique_lock<std::mutex>& hold) {
    if (std::exchange(woken_, true)) return;
    hold.unlock();
    worker_->push_soon(stream_);
}

http::Bytes Outlet::next() {
    std::lock_guard hold(lock_);
    woken_ = false;
    if (overrun_) return nullptr;
    if (taken_.empty()) {
        taken_.swap(waiting_);
        std::ranges::reverse(taken_);
    }
    if (taken_.empty()) {
        waiting_ = {};  // an idle outlet keeps no memory
        taken_ = {};
        return nullptr;
    }
    auto message = std::move(taken_.back());
    taken_.pop_back();
    bytes_ -= message->size();
    return message;
}

std::optional<http::Close> Outlet::end() const {
    std::lock_guard hold(lock_);
    return end_;
}

bool Outlet::overrun() const {
    std::lock_guard hold(lock_);
    return overrun_;
}

}  // namespace net
