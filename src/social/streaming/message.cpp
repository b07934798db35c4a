// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/streaming/message.hpp"

#include "base/json.hpp"

#include <algorithm>

namespace streaming {

http::Bytes Message::frame(const std::string& label) {
    auto known = std::ranges::find(frames_, label, [](const auto& one) { return one.first; });
    if (known != frames_.end()) return known->second;
    if (quoted_.empty() && !payload_.empty()) base::json::write(quoted_, payload_);
    auto text = std::make_shared<std::string>();
    text->reserve(label.size() + event_.size() + quoted_.size() + 40);
    *text += "{\"stream\":";
    *text += label;
    *text += ",\"event\":\"";
    *text += event_;
    *text += '"';
    if (!quoted_.empty()) {
        *text += ",\"payload\":";
        *text += quoted_;
    }
    *text += '}';
    return frames_.emplace_back(label, std::move(text)).second;
}

// A line break would end the data; JSON contains only escaped ones. Clients that parse all data as JSON need
// some: an event without a payload has an empty text.
http::Bytes Message::part() {
    if (part_) return part_;
    auto text = std::make_shared<std::string>("event: ");
    text->reserve(event_.size() + payload_.size() + 20);
    *text += event_;
    *text += "\ndata: ";
    *text += payload_.empty() ? std::string_view("\"\"") : std::string_view(payload_);
    *text += "\n\n";
    return part_ = std::move(text);
}

http::Bytes error_frame(std::string_view text, int status) {
    auto out = std::make_shared<std::string>("{\"error\":");
    base::json::write(*out, text);
    if (status) *out += ",\"status\":" + std::to_string(status);
    *out += '}';
    return out;
}

}  // namespace streaming
