// SPDX-License-Identifier: AGPL-3.0-or-later
// The commands of the program as facts, and what is made of them for those who have it installed: manual pages, completion
// in shells, a file of configuration to begin with.
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
    std::string name;   // --json; of an argument without a name what stands in its place: NAME
    std::string value;  // what follows it; empty: nothing does
    std::string help;
    bool required = false;

    bool named() const { return name.starts_with('-'); }
};

struct Command {
    std::string name;  // as typed: "account create"
    std::string what, example;
    std::vector<Flag> flags;
    bool takes_options = false;  // those of the configuration
};

std::string man_page(std::span<const Command>, std::string_view version);  // dunlin.1
std::string man_page_of_configuration(std::string_view version);           // dunlin.toml.5
std::string example_configuration();                                       // every option, commented out
std::string configuration_file(
    const Config&, const std::set<std::string>& said
);  // but for those that are said

// For bash, zsh or fish; nothing for others.
std::optional<std::string> completion(std::string_view shell, std::span<const Command>);

}  // namespace server
