// SPDX-License-Identifier: AGPL-3.0-or-later
// The program's commands as data, and what is generated from them for installed systems: manual pages, shell
// completion, and an initial configuration file.
#pragma once
#include "config/config.hpp"

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace server {

struct Flag {
    std::string name;   // --json; for a positional argument its placeholder: NAME
    std::string value;  // the argument that follows; empty: none
    std::string help;
    bool required = false;

    bool named() const { return name.starts_with('-'); }
};

struct Command {
    std::string name;  // as typed: "account create"
    std::string what, example;
    std::vector<Flag> flags;
    bool takes_options = false;  // configuration options
};

std::string man_page(std::span<const Command>, std::string_view version);  // dunlin.1
std::string man_page_of_configuration(std::string_view version);           // dunlin.toml.5
std::string example_configuration();                                       // every option, commented out
std::string configuration_file(const Config&, const std::set<std::string>& said);  // except those in `said`

// For bash, zsh or fish; nullopt for others.
std::optional<std::string> completion(std::string_view shell, std::span<const Command>);

}  // namespace server
