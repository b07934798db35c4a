// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/blank.hpp"
#include "base/text/utf8.hpp"
#include "http/stream_route.hpp"

#include <algorithm>

namespace http {

namespace {

bool lists(std::string_view list, std::string_view word) {
    while (!list.empty()) {
        auto one = list.substr(0, list.find(','));
        list.remove_prefix(std::min(list.size(), one.size() + 1));
        one = base::text::trimmed(one, " \t");
        if (base::text::same_ignoring_ascii_case(one, word)) return true;
    }
    return false;
}

}  // namespace

std::string_view websocket_key(const Request& request) {
    constexpr std::size_t length = 24;  // 16 bytes in base64
    auto key = request.header("Sec-WebSocket-Key");
    bool asks = request.method == Method::get && lists(request.header("Upgrade"), "websocket") &&
                lists(request.header("Connection"), "upgrade") &&
                request.header("Sec-WebSocket-Version") == "13";
    return asks && key.size() == length ? key : std::string_view{};
}

Response detail::opened_answer(const Call& call) {
    return std::any_cast<const Opened&>(call.prepared).answer;
}

bool opens_stream(const Route& route) { return route.show == &detail::opened_answer; }

}  // namespace http
