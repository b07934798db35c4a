// SPDX-License-Identifier: AGPL-3.0-or-later
// usage: dunlin-fixtures-check FOLDER
// Reads every .json file below as what another server might send and says in a line of JSON what became of it. A file
// is named "refused" when nothing did; the program fails only when it could not read them at all.
#include "ap/fixtures.hpp"

#include <cstdio>
#include <exception>

int main(int count, char** arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: dunlin-fixtures-check FOLDER\n");
        return 2;
    }
    try {
        auto files = fixtures::documents(arguments[1]);
        for (const auto& file : files) {
            auto name = std::filesystem::relative(file, arguments[1]).string();
            std::printf("%s\n", fixtures::outcome(name, fixtures::contents(file)).c_str());
            std::fflush(stdout);
        }
        if (files.empty()) std::fprintf(stderr, "%s: no .json files\n", arguments[1]);
        return files.empty() ? 1 : 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
