// SPDX-License-Identifier: AGPL-3.0-or-later
// The table of options. A new one is a member of Config and a line in config_table.cpp, and needs a reason
// why a default is not enough.
#pragma once
#include "config/config.hpp"

#include <climits>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace server {

using Member = std::variant<
    std::string Config::*, Words Config::*, int Config::*, bool Config::*, Registrations Config::*,
    LogLevel Config::*, LogFormat Config::*, LogRequests Config::*, Metrics Config::*,
    TranslateService Config::*, MediaStore Config::*>;

struct Option {
    std::string_view section;
    std::string_view name;  // in the file; DUNLIN_NAME in the environment; --name on the command line
    Member member;
    std::string_view help;
    int least = 0, most = INT_MAX;  // for numbers
    std::string_view derived = {};  // its value when it is not set
    bool secret = false;            // masked by `config show`
    bool reloadable = false;        // SIGHUP applies it
    bool of_site = false;           // staff can change it at runtime, unless it is set here

    constexpr Option masked() const { return with(&Option::secret); }
    constexpr Option on_hangup() const { return with(&Option::reloadable); }
    constexpr Option changed_by_team() const { return with(&Option::of_site); }

private:
    constexpr Option with(bool Option::* fact) const {
        Option copy = *this;
        copy.*fact = true;
        return copy;
    }
};

std::span<const Option> options();
const Option* find_option(std::string_view name);
std::string nearest_option(std::string_view name);  // empty if none is similar

std::string environment_name(const Option&);  // DUNLIN_PUBLIC_URL
std::string flag_name(const Option&);         // --public-url
bool is_switch(const Option&);                // a bool
bool is_list(const Option&);
Words choices_of(const Option&);     // for one of several words
std::string kind_of(const Option&);  // "text", "number", "yes or no", "open, approval or closed", …

// The value as text; lists are comma-separated.
std::string value_of(const Config&, const Option&);
std::string json_of(const Config&, const Option&);
// Throws ConfigError with the second part of a sentence: "must be a whole number from 1 to 64, not \"many\"".
void set_value(Config&, const Option&, const Words& given);

}  // namespace server
