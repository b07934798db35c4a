// SPDX-License-Identifier: AGPL-3.0-or-later
// One event as it goes out: made once for all who hear it in the same words under the same name.
#pragma once
#include "http/stream.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace streaming {

class Message {
public:
    // Without a payload a frame has no such member, and a part empty data.
    Message(std::string_view event, std::string payload) : event_(event), payload_(std::move(payload)) {}

    http::Bytes frame(const std::string& label);  // of a WebSocket
    http::Bytes part();                           // of an event stream

private:
    std::string event_, payload_;
    std::string quoted_;  // the payload as a JSON string
    std::vector<std::pair<std::string, http::Bytes>> frames_;
    http::Bytes part_;
};

// What a client is told that cannot be served.
http::Bytes error_frame(std::string_view text, int status);  // 0: without

}  // namespace streaming
