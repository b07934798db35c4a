// SPDX-License-Identifier: AGPL-3.0-or-later
// The only file that includes toml++, which compiles slowly.
#include "base/text/blank.hpp"
#include "config/config_load.hpp"
#include "config/config_table.hpp"

#include <toml++/toml.h>
#include <algorithm>
#include <fstream>
#include <iterator>

namespace server {

namespace {

std::string place(const std::string& file, const toml::source_region& region) {
    return file + ":" + std::to_string(region.begin.line);
}

[[noreturn]] void refuse(std::string option, std::string where, std::string text) {
    throw Mistakes({{Level::fault, std::move(option), std::move(where), std::move(text)}});
}

constexpr const char* kinds =
    "write a text in quotes, a whole number, true or false, or a list of texts like [\"a\", \"b\"]";

std::string text_of(const toml::node& node, const std::string& option, const std::string& where) {
    if (auto text = node.as_string()) return **text;
    if (auto number = node.as_integer()) return std::to_string(**number);
    if (auto truth = node.as_boolean()) return **truth ? "true" : "false";
    refuse(option, where, option + ": it takes no such value; " + kinds);
}

constexpr std::string_view blanks = " \t\r";

std::string_view line_at(std::string_view text, std::size_t number) {
    for (; number > 1 && !text.empty(); --number)
        text.remove_prefix(std::min(text.size(), text.find('\n') + std::size_t{1}));
    return base::text::trimmed(text.substr(0, text.find('\n')), blanks);
}

std::string name_in(std::string_view line) {
    constexpr auto letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    return std::string(line.substr(0, std::min(line.size(), line.find_first_not_of(letters))));
}

// Explains a line that is not valid TOML.
std::string explained(std::string_view line, std::string_view of_parser) {
    const auto name = name_in(line);
    if (name.empty())
        return "this is not understood (" + std::string(of_parser) +
               "); write one option a line, for example title = \"Dunlin\"";
    if (of_parser.find("redefine") != of_parser.npos)
        return name + ": it is set a second time; keep one of the two lines";
    auto rest = base::text::trimmed(line.substr(name.size()), blanks);
    if (!rest.starts_with('='))
        return name + ": there is no = behind the name; write " + name + " = and the value";
    const auto value = base::text::trimmed(rest.substr(1), blanks);
    // A password is not said again, nor what may be one.
    const auto* option = find_option(name);
    const bool secret = !option || option->secret;
    auto again = [&](std::string_view said) { return secret ? "\u2026" : std::string(said); };
    if (value.empty()) return name + ": there is no value behind the =; " + kinds;
    if (value.front() == '"' && value.find('"', 1) == value.npos)
        return name + ": the quote at the end of the text is missing; write " + name + " = \"" +
               again(value.substr(1)) + "\"";
    if (value.find_first_of("\"'[") == value.npos)
        return name + ": a text stands in quotes; write " + name + " = \"" +
               again(base::text::trimmed(value.substr(0, value.find('#')), blanks)) + "\"";
    return name + ": the value is not understood (" + again(of_parser) + "); " + kinds;
}

}  // namespace

std::vector<Setting> read_toml(std::string_view text, const std::string& file_name) {
    std::vector<Setting> settings;
    try {
        auto document = toml::parse(text);
        for (auto&& [key, node] : document) {
            Setting setting{std::string(key.str()), {}, place(file_name, node.source())};
            if (node.is_table())
                refuse(
                    setting.name,
                    setting.where,
                    setting.name + ": there are no sections; take the line [" + setting.name +
                        "] away and write the options one below the other"
                );
            if (auto list = node.as_array()) {
                setting.list = true;
                for (const auto& item : *list)
                    setting.values.push_back(text_of(item, setting.name, setting.where));
            } else {
                setting.values.push_back(text_of(node, setting.name, setting.where));
            }
            settings.push_back(std::move(setting));
        }
    } catch (const toml::parse_error& e) {
        const auto line = line_at(text, e.source().begin.line);
        refuse(name_in(line), place(file_name, e.source()), explained(line, e.description()));
    }
    return settings;
}

std::vector<Setting> read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file.is_open() || file.bad())
        refuse(
            "config",
            path.string(),
            "it cannot be read; check the path that --config or DUNLIN_CONFIG gives, and its rights"
        );
    return read_toml(text, path.string());
}

}  // namespace server
