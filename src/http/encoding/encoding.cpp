// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/encoding/encoding.hpp"

#include "base/text/blank.hpp"

#include <algorithm>

namespace http {

namespace {

// "q=0", "q=0.0": not at all.
bool refused(std::string_view parameters) {
    auto at = parameters.find("q=");
    if (at == parameters.npos) return false;
    auto quality = base::text::trimmed(parameters.substr(at + 2), " \t");
    return quality.starts_with('0') && quality.find_first_of("123456789") == quality.npos;
}

constexpr std::size_t least = 1024;

bool is_text(std::string_view type) {
    type = type.substr(0, type.find(';'));
    return type == "application/json" || type.starts_with("text/html") || type.ends_with("+json") ||
           type.ends_with("+xml");
}

}  // namespace

bool is_compressible(const Response& response) {
    return response.compressible && !response.file && response.body.size() >= least &&
           is_text(response.content_type) && find_header(response.headers, "Content-Encoding").empty();
}

void vary_on_encoding(Response& response) {
    for (auto& [name, value] : response.headers)
        if (same_header_name(name, "Vary")) {
            value += ", Accept-Encoding";
            return;
        }
    response.headers.emplace_back("Vary", "Accept-Encoding");
}

void compress(Response& response, const Request& request, CompressedAnswers& answers) {
    if (response.body.empty()) return;
    for (auto [name, encoding] : {std::pair("gzip", Encoding::gzip), std::pair("br", Encoding::br)}) {
        if (!accepts_encoding(request, name)) continue;
        auto smaller = answers.compress(response.body, encoding);
        if (smaller.empty() || smaller.size() >= response.body.size()) return;
        response.body = std::move(smaller);
        response.headers.emplace_back("Content-Encoding", name);
        return;
    }
}

bool accepts_encoding(const Request& request, std::string_view encoding) {
    for (auto rest = request.header("Accept-Encoding"); !rest.empty();) {
        auto item = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), item.size() + 1));
        auto name = base::text::trimmed(item.substr(0, item.find(';')), " \t");
        if (same_header_name(name, encoding)) return !refused(item.substr(name.size()));
    }
    return false;
}

}  // namespace http
