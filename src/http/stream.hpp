// SPDX-License-Identifier: AGPL-3.0-or-later
// Answers that stay open: a WebSocket, or an event stream (server-sent events). Who answers says what is sent and hears
// what comes; sockets, frames, pings and bounds are net's.
#pragma once
#include "http/message.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace http {

// One message, shared by all to whom it goes.
using Bytes = std::shared_ptr<const std::string>;

// Why a WebSocket ends (RFC 6455, 7.4.1); an event stream just ends.
enum class Close : std::uint16_t { going_away = 1001, not_text = 1003, policy = 1008, restart = 1012 };

// Where messages go out. Both may be called on any thread and never wait.
class Outlet {
public:
    virtual ~Outlet() = default;
    // A text frame, or a part of the event stream as it stands. Who reads too slowly is closed instead.
    virtual void send(Bytes) = 0;
    // After what was sent before.
    virtual void close(Close) = 0;
};

// Called on an I/O thread, one call at a time; must not block.
class Stream {
public:
    virtual ~Stream() = default;
    virtual void opened(std::shared_ptr<Outlet>) = 0;
    virtual void received(std::string_view text) = 0;  // of a WebSocket
    virtual void closed() = 0;                         // once, if it was opened
};

// The key of a request that asks to become a WebSocket as it must (RFC 6455, 4.2.1); empty of any other.
std::string_view websocket_key(const Request&);

}  // namespace http
