// SPDX-License-Identifier: AGPL-3.0-or-later
// What there is to be taken over, looked at without changing anything anywhere.
#pragma once
#include "takeover/copy.hpp"

namespace takeover {

struct Report {
    std::string program, version, domain, public_url;
    std::vector<Count> rows;  // what there is
    std::int64_t keys_checked = 0;
    std::vector<std::string> bad_keys;  // actors whose two keys are no pair
    std::int64_t files_checked = 0, files_found = 0;
    std::vector<Loss> losses;
    std::vector<std::string> configuration;  // lines of dunlin.toml
};
DESCRIBE(
    Report, program, version, domain, public_url, rows, keys_checked, bad_keys, files_checked, files_found,
    losses, configuration
)

// Throws Unsuitable. Without a folder no file is looked for.
Report check(Source&, const std::filesystem::path& media);

}  // namespace takeover
