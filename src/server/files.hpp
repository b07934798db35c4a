// SPDX-License-Identifier: AGPL-3.0-or-later
// What is served without a route: /static (built into the program) and /media (uploads, after the sandboxed worker
// made them anew).
#pragma once
#include "http/message.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace server {

// By the extension of the name; application/octet-stream for those not known.
std::string_view content_type_of(std::string_view name);

// Whether a path relative to a folder cannot leave it: letters, digits and ._- only, no part empty or beginning
// with a dot.
bool stays_inside(std::string_view path);

// The bytes of a file in the smallest form that the client takes; `find` knows "x.js", "x.js.br", "x.js.gz".
void put_bytes(
    http::Response&, const http::Request&, std::string_view name,
    const std::function<std::optional<std::string_view>(const std::string& name)>& find
);

class StaticFiles {
public:
    StaticFiles();
    http::Response answer(const http::Request&, std::string_view path) const;  // path after /static/

private:
    struct File {
        std::string_view type;
        std::string etag;
    };
    std::unordered_map<std::string_view, File> files_;
};

class MediaFiles {
public:
    explicit MediaFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}
    http::Response answer(const http::Request&, std::string_view path) const;  // path after /media/

private:
    std::filesystem::path folder_;
};

}  // namespace server
