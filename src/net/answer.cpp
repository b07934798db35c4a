// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/answer.hpp"

#include "net/streams/frames.hpp"

#include <boost/beast/http/status.hpp>

#include <algorithm>
#include <charconv>

namespace net {

namespace {

void append_number(std::string& out, std::uint64_t number) {
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    out.append(digits, end);
}

// A line break in a header would start another one.
void append_clean(std::string& out, std::string_view text) {
    const auto control = [](char c) { return static_cast<unsigned char>(c) < ' '; };
    const auto start = out.size();
    out += text;
    // Fast path: most texts are clean, and this loop is vectorized.
    unsigned char dirty = 0;
    for (char c : text) dirty = static_cast<unsigned char>(dirty | static_cast<unsigned char>(control(c)));
    if (dirty) std::replace_if(out.begin() + static_cast<std::ptrdiff_t>(start), out.end(), control, ' ');
}

void append_status_line(std::string& out, int status) {
    if (status == 200) {
        out += "HTTP/1.1 200 OK\r\n";
        return;
    }
    out += "HTTP/1.1 ";
    append_number(out, static_cast<std::uint64_t>(status));
    out += ' ';
    const auto reason = boost::beast::http::obsolete_reason(static_cast<boost::beast::http::status>(status));
    out.append(reason.data(), reason.size());
    out += "\r\n";
}

}  // namespace

bool status_allows_body(int status) { return status >= 200 && status != 204 && status != 304; }

void write_head(std::string& out, const http::Response& response, const Framing& framing) {
    out.clear();
    append_status_line(out, response.status);
    out += "Server: dunlin\r\nDate: ";
    out += framing.date;
    out += "\r\nX-Request-Id: ";
    out += framing.request_id;
    if (framing.length) {
        if (!response.content_type.empty()) {
            out += "\r\nContent-Type: ";
            append_clean(out, response.content_type);
        }
        out += "\r\nContent-Length: ";
        append_number(out, *framing.length);
    }
    for (const auto& [name, value] : response.headers) {
        out += "\r\n";
        append_clean(out, name);
        out += ": ";
        append_clean(out, value);
    }
    out += "\r\n";
    out += response.common_headers;
    if (framing.strict_transport) out += "Strict-Transport-Security: max-age=31536000\r\n";
    if (!framing.websocket_key.empty()) {
        out += "Upgrade: websocket\r\nSec-WebSocket-Accept: ";
        out += websocket_accept(framing.websocket_key);
        out += "\r\nConnection: Upgrade\r\n\r\n";
        return;
    }
    out += framing.keep_alive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
}

http::Response error_answer(Refusal refusal) {
    http::Response response;
    response.status = refusal.status;
    response.body = R"({"error":")" + std::string(refusal.text) + R"("})";
    if (refusal.status == 503 || refusal.status == 429) response.headers.emplace_back("Retry-After", "5");
    return response;
}

}  // namespace net
