// SPDX-License-Identifier: AGPL-3.0-or-later
// The only file that includes toml++, which compiles slowly.
#include "config/config_load.hpp"

#include <toml++/toml.h>
#include <fstream>
#include <iterator>

namespace server {

namespace {

std::string place(const std::string& file, const toml::node& node) {
    return file + ":" + std::to_string(node.source().begin.line);
}

std::string text_of(const toml::node& node, const std::string& where) {
    if (auto text = node.as_string()) return **text;
    if (auto number = node.as_integer()) return std::to_string(**number);
    if (auto truth = node.as_boolean()) return **truth ? "true" : "false";
    throw ConfigError(where + ": a value is a text, a whole number, true or false, or a list of texts");
}

}  // namespace

std::vector<Setting> read_toml(std::string_view text, const std::string& file_name) {
    std::vector<Setting> settings;
    try {
        auto document = toml::parse(text);
        for (auto&& [key, node] : document) {
            Setting setting{std::string(key.str()), {}, place(file_name, node)};
            if (node.is_table())
                throw ConfigError(
                    setting.where + ": there are no sections; write the options one below the other"
                );
            if (auto list = node.as_array()) {
                setting.list = true;
                for (const auto& item : *list) setting.values.push_back(text_of(item, setting.where));
            } else {
                setting.values.push_back(text_of(node, setting.where));
            }
            settings.push_back(std::move(setting));
        }
    } catch (const toml::parse_error& e) {
        throw ConfigError(
            file_name + ":" + std::to_string(e.source().begin.line) + ": " + std::string(e.description())
        );
    }
    return settings;
}

std::vector<Setting> read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file.is_open() || file.bad())
        throw ConfigError(
            "The configuration file " + path.string() + " cannot be read; check its path and rights"
        );
    return read_toml(text, path.string());
}

}  // namespace server
