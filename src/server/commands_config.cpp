// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/config_table.hpp"
#include "server/console.hpp"

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

void check_file(const std::string& name, const std::string& path) {
    if (!path.empty() && !std::filesystem::is_regular_file(path))
        throw ConfigError(name + ": there is no file " + path);
}

}  // namespace

int check_config(const Settings& settings) {
    auto loaded = settings.load();
    check_file("tls_cert", loaded.config.tls_cert);
    check_file("tls_key", loaded.config.tls_key);
    print(
        loaded.file ? "The configuration in " + loaded.file->string() + " is good."
                    : "The configuration is good; there is no file dunlin.toml in " + loaded.config.data + "."
    );
    return 0;
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
