// SPDX-License-Identifier: AGPL-3.0-or-later
// The head of a response as bytes, and the error responses that this folder sends itself.
#pragma once
#include "http/message.hpp"
#include "net/request_parser.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace net {

struct Framing {
    std::string_view request_id;
    std::string_view date;
    std::optional<std::uint64_t> length;  // none: the status does not allow a body
    bool keep_alive = true;
    bool strict_transport = false;
    std::string_view websocket_key;  // of a client that upgrades to a WebSocket
};

// Replaces `out`. Line breaks inside the caller's headers become spaces.
void write_head(std::string& out, const http::Response&, const Framing&);

bool status_allows_body(int status);
http::Response error_answer(Refusal);

}  // namespace net
