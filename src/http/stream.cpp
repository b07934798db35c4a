// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/stream_route.hpp"

#include <algorithm>

namespace http {

namespace {

bool same(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](char x, char y) { return std::tolower(x) == std::tolower(y); });
}

bool lists(std::string_view list, std::string_view word) {
    while (!list.empty()) {
        auto one = list.substr(0, list.find(','));
        list.remove_prefix(std::min(list.size(), one.size() + 1));
        while (one.starts_with(' ') || one.starts_with('\t')) one.remove_prefix(1);
        while (one.ends_with(' ') || one.ends_with('\t')) one.remove_suffix(1);
        if (same(one, word)) return true;
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
