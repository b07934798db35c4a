// SPDX-License-Identifier: AGPL-3.0-or-later
// One outgoing event: rendered once for all listeners with the same payload and label.
#pragma once
#include "http/stream.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace streaming {

class Message {
public:
    // Without a payload, a frame omits the member, and an event-stream part has empty data.
    Message(std::string_view event, std::string payload) : event_(event), payload_(std::move(payload)) {}

    http::Bytes frame(const std::string& label);  // for a WebSocket
    http::Bytes part();                           // for an event stream

private:
    std::string event_, payload_;
    std::string quoted_;  // the payload as a JSON string
    std::vector<std::pair<std::string, http::Bytes>> frames_;
    http::Bytes part_;
};

// The message to a client that is refused.
http::Bytes error_frame(std::string_view text, int status);  // 0: without

}  // namespace streaming
