// SPDX-License-Identifier: AGPL-3.0-or-later
// Requests as bytes. However they are cut into pieces, the parser must see the same requests; what it lets
// pass must hold to what the rest of the program relies on.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "net/request_parser.hpp"

namespace {

constexpr std::size_t head_limit = 2048;

void require(bool condition) {
    if (!condition) std::abort();
}

void check(const http::Request& request) {
    require(request.target.starts_with('/') || request.target == "*");
    for (const auto& [name, value] : request.headers) {
        require(!name.empty());
        for (const char c : name + value) require(c != '\r' && c != '\n' && c != '\0');
    }
}

std::string told(const http::Request& request) {
    std::string out = std::string(http::to_string(request.method)) + " " + request.target;
    for (const auto& [name, value] : request.headers) out += "\n" + name + ": " + value;
    return out + "\n\n" + request.body + "\n";
}

// What a connection would hand over, `piece` bytes at a time.
std::string read_all(std::string_view bytes, std::size_t piece) {
    std::string out, unread, body;
    net::RequestParser parser(head_limit);
    bool in_body = false;
    while (!bytes.empty()) {
        const auto size = std::min(piece, bytes.size());
        unread += bytes.substr(0, size);
        bytes.remove_prefix(size);
        for (;;) {
            if (unread.empty()) break;
            net::RequestParser::BodyStep step{};
            if (in_body) step = parser.read_body(unread);
            else static_cast<net::RequestParser::Step&>(step) = parser.read_head(unread);
            require(step.used <= unread.size());
            body += step.data;
            unread.erase(0, step.used);
            auto progress = step.progress;
            if (progress == net::Progress::more && !step.data.empty()) continue;
            if (progress == net::Progress::done && !in_body && parser.has_body()) {
                in_body = true;
                continue;
            }
            if (progress == net::Progress::refused) {
                require(parser.refusal().status >= 400);
                return out + "refused";
            }
            if (progress == net::Progress::more) break;
            require(parser.declared_length().value_or(body.size()) == body.size());
            auto request = parser.take();
            request.body = std::exchange(body, {});
            check(request);
            out += told(request);
            parser = net::RequestParser(head_limit);
            in_body = false;
        }
    }
    return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    require(read_all(bytes, bytes.size() + 1) == read_all(bytes, 1 + data[0] % 17));
    return 0;
}
