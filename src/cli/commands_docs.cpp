// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/cli_context.hpp"
#include "docs/docs.hpp"
#include "server/tables.hpp"

#include <fstream>
#include <iterator>

namespace server {

namespace fs = std::filesystem;

namespace {

std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& page) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << page;
    if (!file.flush()) throw Refused("The file " + path.string() + " cannot be written; check its folder");
}

void must_be_folder(const std::string& folder, const char* flag) {
    if (!fs::is_directory(folder)) throw Refused("There is no folder " + folder + "; name one with " + flag);
}

}  // namespace

int write_pages(const std::string& folder, const std::vector<std::pair<std::string, std::string>>& pages) {
    must_be_folder(folder, "--man");
    for (const auto& [name, page] : pages) write(fs::path(folder) / name, page);
    return 0;
}

int print_text(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return 0;
}

int write_docs(const std::string& folder, bool check) {
    int status = 0;
    const std::pair<const char*, std::string> pages[] = {
        {"api.md", api_page(sorted_routes())}, {"config.md", config_page()}
    };
    if (!check) must_be_folder(folder, "--out");
    for (const auto& [name, page] : pages) {
        auto path = fs::path(folder) / name;
        if (contents(path) == page) continue;
        if (check) {
            print_note(path.string() + " is out of date; run `dunlin docs`");
            status = 1;
        } else {
            write(path, page);
            print("wrote " + path.string());
        }
    }
    return status;
}

}  // namespace server
