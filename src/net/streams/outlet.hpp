// SPDX-License-Identifier: AGPL-3.0-or-later
// The bounded queue of what an open response has yet to send: filled by any thread, emptied by the socket's.
#pragma once
#include "http/stream.hpp"
#include "net/worker.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace net {

class OpenStream;

class Outlet final : public http::Outlet {
public:
    Outlet(std::weak_ptr<OpenStream>, std::shared_ptr<Worker>, std::size_t most_bytes);

    void send(http::Bytes) override;
    void close(http::Close) override;

    // On the socket's thread only.
    http::Bytes next();                      // nullptr: nothing is waiting
    std::optional<http::Close> end() const;  // once requested; sent after queued data, unless overrun
    bool overrun() const;

private:
    void wake(std::unique_lock<std::mutex>&);

    mutable std::mutex lock_;
    std::vector<http::Bytes> waiting_, taken_;  // the latter in reverse order
    std::size_t bytes_ = 0;
    const std::size_t most_bytes_;
    std::optional<http::Close> end_;
    bool overrun_ = false;
    bool woken_ = false;
    const std::weak_ptr<OpenStream> stream_;
    const std::shared_ptr<Worker> worker_;
};

}  // namespace net
