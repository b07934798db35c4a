// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/message.hpp"

#include "base/text/utf8.hpp"

namespace http {

bool same_header_name(std::string_view a, std::string_view b) {
    return base::text::same_ignoring_ascii_case(a, b);
}

std::string_view to_string(Method method) {
    switch (method) {
        case Method::get: return "GET";
        case Method::head: return "HEAD";
        case Method::post: return "POST";
        case Method::put: return "PUT";
        case Method::patch: return "PATCH";
        case Method::delete_: return "DELETE";
        case Method::options: return "OPTIONS";
    }
    return "GET";
}

std::string_view find_header(const Headers& headers, std::string_view name) {
    for (const auto& [key, value] : headers)
        if (same_header_name(key, name)) return value;
    return {};
}

std::string_view Response::header(std::string_view name) const {
    if (auto value = find_header(headers, name); !value.empty()) return value;
    for (auto rest = common_headers; !rest.empty();) {
        const auto line = rest.substr(0, rest.find("\r\n"));
        rest.remove_prefix(line.size() + 2);
        const auto colon = line.find(": ");
        if (same_header_name(line.substr(0, colon), name)) return line.substr(colon + 2);
    }
    return {};
}

Pending::~Pending() {
    if (!send_) return;
    Response response;
    response.status = 503;
    response.headers.emplace_back("Retry-After", "5");
    response.body = R"({"error":"There was a temporary problem serving your request, please try again"})";
    send_(std::move(response));
}

}  // namespace http
