// SPDX-License-Identifier: AGPL-3.0-or-later
// The sources of the options: flags override the environment, which overrides the file, which overrides the
// defaults.
#pragma once
#include "config/config.hpp"
#include "config/finding.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace server {

// One option as set in one place.
struct Setting {
    std::string name;  // as written there
    Words values;
    std::string where;  // "dunlin.toml:3", "DUNLIN_LISTEN", "--listen"
    bool list = false;  // written as a list
};

struct Loaded {
    Config config;
    std::map<std::string, std::string> origins;  // option to the place that set it; absent: default
    std::optional<std::filesystem::path> file;   // that was read

    std::string origin(std::string_view option) const;
    // Findings from sentences that begin with an option's name, each with the place that set the option.
    Findings findings(Level, const Words&) const;
};

struct Sources {
    std::vector<Setting> flags;
    std::vector<std::pair<std::string, std::string>> environment;  // name, value; only DUNLIN_* are used
    std::string file;  // --config; empty: DUNLIN_CONFIG, then dunlin.toml in the data folder, if it exists
};

// Throws Mistakes.
Loaded load(const Sources&);

// The environment of this process.
std::vector<std::pair<std::string, std::string>> environment();

// The settings in a TOML file (config_file.cpp). Throws Mistakes.
std::vector<Setting> read_file(const std::filesystem::path&);
std::vector<Setting> read_toml(std::string_view text, const std::string& file_name);

// Checks that involve several options; a mistake is a sentence that begins with an option. Fills in derived
// values: public_url, domain, smtp_from.
void complete(Config&, Words& mistakes);

}  // namespace server
