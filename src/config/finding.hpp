// SPDX-License-Identifier: AGPL-3.0-or-later
// A finding about a configuration or its server: its severity, the option, the place that sets it, and a
// sentence with the reason and the remedy.
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
    std::string place;  // "dunlin.toml:3", "DUNLIN_LISTEN", "--listen"; empty: the default
    std::string text;
};
DESCRIBE(Finding, level, option, place, text)
using Findings = std::vector<Finding>;

// 0, 1 or 2: the exit code of a command.
Level worst_of(const Findings&);

// For people: the place, followed by the sentence.
std::string line_of(const Finding&);

// A configuration that cannot be used; what() has one line per finding.
struct Mistakes : ConfigError {
    explicit Mistakes(Findings);
    Findings all;
};

}  // namespace server
