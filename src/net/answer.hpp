// SPDX-License-Identifier: AGPL-3.0-or-later
// The head of an answer as bytes, and the answers this folder gives by itself.
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
    std::optional<std::uint64_t> length;  // none: the status allows no body
    bool keep_alive = true;
    bool strict_transport = false;
    std::string_view websocket_key;  // of one who becomes a WebSocket
};

// Replaces `out`. Line ends inside the caller's headers become spaces.
void write_head(std::string& out, const http::Response&, const Framing&);

bool status_allows_body(int status);
http::Response error_answer(Refusal);

}  // namespace net
