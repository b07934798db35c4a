// SPDX-License-Identifier: AGPL-3.0-or-later
// Messages between nodes through a server that speaks the Redis protocol, such as Valkey: one connection
// subscribes, another publishes.
#pragma once
#include "base/broadcast.hpp"

#include <cstdint>
#include <memory>

namespace net {

struct ValkeyOptions {
    std::string host;
    std::uint16_t port = 6379;
    std::string user, password;
    bool tls = false;
    std::string extra_ca_file;  // trusted in addition to the system's authorities
    std::string channel;
};

class ValkeyBroadcast final : public base::Broadcast {
public:
    explicit ValkeyBroadcast(ValkeyOptions);
    ~ValkeyBroadcast() override;

    void start(Ears) override;
    void stop() override;
    void say(std::string text) override;
    bool connected() const override;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace net
