// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/read_params.hpp"

#include "base/errors.hpp"
#include "http/json_body.hpp"
#include "http/multipart.hpp"
#include "http/urlencoded.hpp"

#include <fstream>
#include <iterator>
#include <string>
#include <utility>

namespace http {

namespace {

std::string media_type(std::string_view content_type) {
    auto type = content_type.substr(0, content_type.find(';'));
    while (type.ends_with(' ') || type.ends_with('\t')) type.remove_suffix(1);
    std::string out(type);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    return out;
}

// Hands the body over in pieces, from memory or from its file.
template <class F>
void for_each_piece(const Request& request, F take) {
    if (!request.spooled) return take(std::string_view(request.body));
    std::ifstream file(*request.spooled, std::ios::binary);
    if (!file) throw base::Unavailable();
    std::string piece(256 << 10, '\0');
    while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0)
        take(std::string_view(piece).substr(0, static_cast<std::size_t>(file.gcount())));
    if (file.bad()) throw base::Unavailable();
}

template <class F>
void with_whole_body(const Request& request, F take) {
    if (!request.spooled) return take(std::string_view(request.body));
    std::string body;
    for_each_piece(request, [&](std::string_view piece) { body += piece; });
    take(std::string_view(body));
}

Params read_body(const Request& request, const std::filesystem::path& spool_dir) {
    Params out;
    if (request.body.empty() && !request.spooled) return out;
    auto content_type = request.header("Content-Type");
    auto type = media_type(content_type);
    if (type == "application/json") {
        with_whole_body(request, [&](std::string_view body) { read_json(body, out); });
    } else if (type == "application/x-www-form-urlencoded") {
        with_whole_body(request, [&](std::string_view body) { read_urlencoded(body, out); });
    } else if (type == "multipart/form-data") {
        Multipart parser(content_type, spool_dir, out);
        for_each_piece(request, [&](std::string_view piece) { parser.feed(piece); });
        parser.finish();
    }
    return out;
}

}  // namespace

Params read_query(const Request& request) {
    Params out;
    read_urlencoded(request.query(), out);
    return out;
}

Params read_params(const Request& request, const std::filesystem::path& spool_dir) {
    auto out = read_body(request, spool_dir);
    out.keep_files_in(spool_dir);
    out.merge(read_query(request));
    return out;
}

}  // namespace http
