// SPDX-License-Identifier: AGPL-3.0-or-later
// What is found about a configuration, or about the server that has it: how bad it is, which option says so, where that
// stands, and a sentence with the reason and what to write or do.
#pragma once
#include "base/describe.hpp"
#include "config/config.hpp"

#include <boost/describe/enum.hpp>

#include <string>
#include <vector>

namespace server {

BOOST_DEFINE_ENUM_CLASS(Level, ok, warning, fault)

struct Finding {
    Level level = Level::fault;
    std::string option;
    std::string place;  // "dunlin.toml:3", "DUNLIN_LISTEN", "--listen"; empty: it is the default
    std::string text;
};
DESCRIBE(Finding, level, option, place, text)
using Findings = std::vector<Finding>;

// 0, 1 or 2 is what a command exits with.
Level worst_of(const Findings&);

// For people: the place stands before the sentence.
std::string line_of(const Finding&);

// A configuration that cannot be used; what() has a line for each.
struct Mistakes : ConfigError {
    explicit Mistakes(Findings);
    Findings all;
};

}  // namespace server
