// SPDX-License-Identifier: AGPL-3.0-or-later
// From where the options come: flags win over the environment, that over the file, that over the defaults.
#pragma once
#include "config/config.hpp"
#include "config/finding.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace server {

// What one place says of one option.
struct Setting {
    std::string name;  // as written there
    Words values;
    std::string where;  // "dunlin.toml:3", "DUNLIN_LISTEN", "--listen"
    bool list = false;  // written as a list
};

struct Loaded {
    Config config;
    std::map<std::string, std::string> origins;  // option to the place that set it; absent: the default
    std::optional<std::filesystem::path> file;   // that was read

    std::string origin(std::string_view option) const;
    // Sentences that begin with the name of an option, with the place that set it.
    Findings findings(Level, const Words&) const;
};

struct Sources {
    std::vector<Setting> flags;
    std::vector<std::pair<std::string, std::string>>
        environment;   // name, value; others than DUNLIN_* are ignored
    std::string file;  // --config; empty: DUNLIN_CONFIG, then dunlin.toml in the data folder if it is there
};

// Throws Mistakes.
Loaded load(const Sources&);

// The environment of this process.
std::vector<std::pair<std::string, std::string>> environment();

// The settings of a file of TOML (config_file.cpp). Throws Mistakes.
std::vector<Setting> read_file(const std::filesystem::path&);
std::vector<Setting> read_toml(std::string_view text, const std::string& file_name);

// What cannot be seen option by option, in sentences that begin with an option. Fills in what is derived: public_url, domain, smtp_from.
void complete(Config&, Words& mistakes);
std::string usual_sender(const std::string& domain);  // of mail, where smtp_from is not set

}  // namespace server
