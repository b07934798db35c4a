// SPDX-License-Identifier: AGPL-3.0-or-later
// Responses that stay open: a WebSocket or an event stream (server-sent events). The application decides what
// is sent and receives messages; sockets, frames, pings and limits are handled by net.
#pragma once
#include "http/message.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace http {

// One message, shared by all recipients.
using Bytes = std::shared_ptr<const std::string>;

// Why a WebSocket is closed (RFC 6455, 7.4.1); an event stream is just ended.
enum class Close : std::uint16_t { going_away = 1001, not_text = 1003, policy = 1008, restart = 1012 };

// The sending end. Both functions are callable from any thread and never block.
class Outlet {
public:
    virtual ~Outlet() = default;
    // Sends a text frame, or a part of the event stream verbatim. If the client reads too slowly, it is
    // closed instead.
    virtual void send(Bytes) = 0;
    // Closes after everything sent before.
    virtual void close(Close) = 0;
};

// Called on an I/O thread, one call at a time; must not block.
class Stream {
public:
    virtual ~Stream() = default;
    virtual void opened(std::shared_ptr<Outlet>) = 0;
    virtual void received(std::string_view text) = 0;  // from a WebSocket
    virtual void closed() = 0;                         // once, if it was opened
};

// The key of a valid WebSocket handshake (RFC 6455, 4.2.1); empty for any other request.
std::string_view websocket_key(const Request&);

}  // namespace http
