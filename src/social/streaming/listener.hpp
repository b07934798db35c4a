// SPDX-License-Identifier: AGPL-3.0-or-later
// One open stream: its token and its channels. Owned by its connection; the hub knows it while it lives.
#pragma once
#include "base/shared_state.hpp"
#include "http/stream.hpp"
#include "http/viewer.hpp"
#include "social/streaming/channel.hpp"
#include "social/streaming/message.hpp"

#include <chrono>

namespace streaming {

class Hub;

// The account that opens the stream.
struct Subscriber {
    http::Viewer viewer;
    http::Scopes scopes;
};

// Rate limit of messages from a client: a burst, then a few per second.
class Allowance {
public:
    bool spend(std::chrono::steady_clock::time_point now);

private:
    static constexpr double most = 100, per_second = 4;
    double left_ = most;
    std::chrono::steady_clock::time_point counted_ = std::chrono::steady_clock::now();
};

class Listener final : public http::Stream, public std::enable_shared_from_this<Listener> {
public:
    static constexpr std::size_t most_channels = 50;

    Listener(std::weak_ptr<Hub>, Subscriber, bool websocket);
    ~Listener() override;

    void opened(std::shared_ptr<http::Outlet>) override;
    void received(std::string_view text) override;
    void closed() override;

    // The following functions may be called on any thread.
    void subscribe(const Channel&);
    void tell(Message&, const std::string& label);
    void send(http::Bytes);
    void close(http::Close);

    const Subscriber who;
    const bool websocket;
    const std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();

private:
    friend class Hub;

    void obey_waiting();
    bool obey(const std::string& text);  // false: its permission is still being checked
    bool begin(const Wish&);
    void end(const Wish&);
    void settle(const Channel&, bool mine);

    const std::weak_ptr<Hub> hub_;
    base::Lock lock_;
    std::shared_ptr<http::Outlet> outlet_;
    std::vector<http::Bytes> early_;  // until it is open
    std::optional<http::Close> ended_;
    std::vector<std::string> waiting_;  // client messages after one that takes longer
    bool asking_ = false;
    Allowance allowance_;
    std::vector<Channel> channels_;  // changed by the hub, under its lock
};

}  // namespace streaming
