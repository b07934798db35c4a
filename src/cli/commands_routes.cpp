// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/cli_context.hpp"
#include "docs/docs.hpp"
#include "server/api_pages.hpp"
#include "server/tables.hpp"

namespace server {

namespace {

struct Shown {
    std::string_view method, path, auth, scopes;
};
DESCRIBE(Shown, method, path, auth, scopes)

struct Version {
    std::string version, compiler;
};
DESCRIBE(Version, version, compiler)

}  // namespace

int list_routes(const std::string& format) {
    std::vector<Shown> all;
    for (const auto* route : sorted_routes())
        all.push_back({http::to_string(route->method), route->path, word_of(route->auth), route->scope});
    if (format == "json") return print_json(all), 0;
    if (format == "tsv") {
        print("method\tpath\tauth\tscopes");
        for (const auto& r : all) {
            std::string line;
            for (auto cell : {r.method, r.path, r.auth, r.scopes}) (line += cell) += '\t';
            line.pop_back();
            print(line);
        }
        return 0;
    }
    std::vector<std::vector<std::string>> table{{"METHOD", "PATH", "AUTH", "SCOPES"}};
    for (const auto& r : all)
        table.push_back(
            {std::string(r.method), std::string(r.path), std::string(r.auth), std::string(r.scopes)}
        );
    print_table(table);
    return 0;
}

int print_openapi() {
    print(openapi());
    return 0;
}

int show_version(bool json) {
    Version version{base::Site{}.version, __VERSION__};
    if (json) return print_json(version), 0;
    print(version_line());
    return 0;
}

std::string version_line() { return "dunlin " + base::Site{}.version; }

}  // namespace server
