// SPDX-License-Identifier: AGPL-3.0-or-later
// What is served without a route: /static, which is built into the program; and what answers of files have in common.
#pragma once
#include "http/message.hpp"

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

http::Response no_such_file();
http::Response not_allowed();  // nothing but GET and HEAD

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

}  // namespace server
