// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/log.hpp"
#include "cli/cli_context.hpp"
#include "config/config_table.hpp"
#include "server/checks/checks.hpp"

namespace server {

namespace {

struct Shown {
    std::string name;
    base::json::Raw value;
    std::string from;
    bool secret = false;
};
DESCRIBE(Shown, name, value, from, secret)

constexpr const char* mask = "********";

bool hidden(const Config& config, const Option& option) {
    return option.secret && !value_of(config, option).empty();
}

std::string shown_value(const Config& config, const Option& option) {
    if (hidden(config, option)) return mask;
    auto value = value_of(config, option);
    return value.empty() ? "-" : value;
}

std::string origin(const Loaded& loaded, const Option& option) {
    auto from = loaded.origin(option.name);
    bool derived = from == "default" && value_of(loaded.config, option) != value_of(Config{}, option);
    return derived ? "derived" : from;
}

struct Checked {
    std::string file;  // empty: no file
    Findings findings;
};
DESCRIBE(Checked, file, findings)

// A running server logs its connections itself.
void silence() { base::set_log(base::LogLevel::error, false); }

}  // namespace

int check_config(const Settings& settings, bool offline) {
    silence();
    Checked checked;
    try {
        auto loaded = settings.load();
        if (loaded.file) checked.file = loaded.file->string();
        checked.findings = check_configuration(loaded, offline ? Ask::files : Ask::everybody);
    } catch (const Mistakes& e) {
        checked.findings = e.all;
    }
    const auto worst = worst_of(checked.findings);
    if (settings.json) print_json(checked);
    else if (worst == Level::ok)
        print(
            checked.file.empty()
                ? "The configuration is good; there is no file dunlin.toml in its data folder."
                : "The configuration in " + checked.file + " is good."
        );
    else
        for (const auto& finding : checked.findings) print_note(line_of(finding));
    return static_cast<int>(worst);
}

int show_config(const Settings& settings) {
    auto loaded = settings.load();
    std::vector<Shown> all;
    std::vector<std::vector<std::string>> table{{"OPTION", "VALUE", "FROM"}};
    for (const auto& option : options()) {
        auto from = origin(loaded, option);
        auto json =
            hidden(loaded.config, option) ? base::json::to_string(mask) : json_of(loaded.config, option);
        all.push_back({std::string(option.name), {json}, from, option.secret});
        table.push_back({std::string(option.name), shown_value(loaded.config, option), from});
    }
    if (settings.json) print_json(all);
    else print_table(table);
    return 0;
}

}  // namespace server
