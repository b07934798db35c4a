// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/files.hpp"

#include "base/crypto.hpp"
#include "base/embedded.hpp"
#include "http/encoding/encoding.hpp"
#include "http/errors.hpp"

#include <algorithm>

namespace server {

namespace {

constexpr std::pair<std::string_view, std::string_view> types[] = {
    {"aac", "audio/aac"},
    {"avif", "image/avif"},
    {"css", "text/css; charset=utf-8"},
    {"flac", "audio/flac"},
    {"gif", "image/gif"},
    {"html", "text/html; charset=utf-8"},
    {"ico", "image/x-icon"},
    {"jpeg", "image/jpeg"},
    {"jpg", "image/jpeg"},
    {"js", "text/javascript; charset=utf-8"},
    {"json", "application/json; charset=utf-8"},
    {"m4a", "audio/mp4"},
    {"m4v", "video/mp4"},
    {"mov", "video/quicktime"},
    {"mp3", "audio/mpeg"},
    {"mp4", "video/mp4"},
    {"oga", "audio/ogg"},
    {"ogg", "audio/ogg"},
    {"ogv", "video/ogg"},
    {"opus", "audio/ogg"},
    {"png", "image/png"},
    {"svg", "image/svg+xml"},
    {"txt", "text/plain; charset=utf-8"},
    {"wav", "audio/wav"},
    {"webm", "video/webm"},
    {"webmanifest", "application/manifest+json"},
    {"webp", "image/webp"},
    {"woff2", "font/woff2"},
};

constexpr std::string_view unknown_type = "application/octet-stream";

bool reads(const http::Request& request) {
    return request.method == http::Method::get || request.method == http::Method::head;
}

}  // namespace

http::Response no_such_file() {
    auto response = http::failure(404, "Not Found");
    response.headers.emplace_back("X-Content-Type-Options", "nosniff");
    return response;
}

http::Response not_allowed() {
    auto response = http::failure(405, "Method Not Allowed");
    response.headers.emplace_back("Allow", "GET, HEAD");
    return response;
}

std::string_view content_type_of(std::string_view name) {
    auto dot = name.rfind('.');
    if (dot == name.npos) return unknown_type;
    auto found =
        std::ranges::find(types, name.substr(dot + 1), &std::pair<std::string_view, std::string_view>::first);
    return found == std::end(types) ? unknown_type : found->second;
}

bool stays_inside(std::string_view path) {
    bool begins = true;
    for (char c : path) {
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        bool plain = letter || c == '_' || c == '-';
        if (!plain && (begins || (c != '.' && c != '/'))) return false;
        begins = c == '/';
    }
    return !begins;
}

void put_bytes(
    http::Response& response, const http::Request& request, std::string_view name,
    const std::function<std::optional<std::string_view>(const std::string& name)>& find
) {
    constexpr std::pair<std::string_view, std::string_view> forms[] = {{"br", ".br"}, {"gzip", ".gz"}};
    for (auto [encoding, ending] : forms) {
        auto bytes = find(std::string(name) + std::string(ending));
        if (!bytes) continue;
        if (http::find_header(response.headers, "Vary").empty())
            response.headers.emplace_back("Vary", "Accept-Encoding");
        if (!http::accepts_encoding(request, encoding)) continue;
        response.body = *bytes;
        response.headers.emplace_back("Content-Encoding", encoding);
        return;
    }
    response.body = find(std::string(name)).value_or("");
}

StaticFiles::StaticFiles() {
    constexpr std::string_view folder = "web/static/";
    for (const auto& [path, bytes] : base::embedded_files()) {
        if (!path.starts_with(folder) || path.ends_with(".br") || path.ends_with(".gz")) continue;
        auto etag = "\"" + base::hex(base::sha256(bytes).substr(0, 16)) + "\"";
        files_[path.substr(folder.size())] = {content_type_of(path), std::move(etag)};
    }
}

http::Response StaticFiles::answer(const http::Request& request, std::string_view path) const {
    if (!reads(request)) return not_allowed();
    auto found = files_.find(path);
    if (found == files_.end()) return no_such_file();
    const auto& file = found->second;
    http::Response response;
    response.content_type = file.type;
    response.headers.emplace_back("ETag", file.etag);
    // A URL with ?v= identifies one content; others may change with the next version of the program.
    response.headers.emplace_back(
        "Cache-Control",
        request.query().starts_with("v=") ? "public, max-age=31536000, immutable" : "public, max-age=86400"
    );
    response.headers.emplace_back("X-Content-Type-Options", "nosniff");
    response.headers.emplace_back("Access-Control-Allow-Origin", "*");
    if (request.header("If-None-Match").find(file.etag) != std::string_view::npos) response.status = 304;
    else
        put_bytes(response, request, path, [](const std::string& name) {
            return base::embedded("web/static/" + name);
        });
    return response;
}

}  // namespace server
