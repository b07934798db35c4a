// SPDX-License-Identifier: AGPL-3.0-or-later
// Files served without a route: /static, which is compiled into the program; and code shared by all file
// responses.
#pragma once
#include "http/message.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace server {

// By the file name's extension; application/octet-stream if unknown.
std::string_view content_type_of(std::string_view name);

// Whether a relative path cannot leave its folder: only letters, digits and ._-, and no part empty or
// beginning with a dot.
bool stays_inside(std::string_view path);

// Serves a file in the smallest encoding that the client accepts; `find` looks up "x.js", "x.js.br",
// "x.js.gz".
void put_bytes(
    http::Response&, const http::Request&, std::string_view name,
    const std::function<std::optional<std::string_view>(const std::string& name)>& find
);

http::Response no_such_file();
http::Response not_allowed();  // for methods other than GET and HEAD

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
