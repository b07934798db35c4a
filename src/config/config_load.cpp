// SPDX-License-Identifier: AGPL-3.0-or-later
#include "config/config_load.hpp"

#include "config/config_table.hpp"

#include <unistd.h>
#include <algorithm>

namespace server {

namespace {

// What containers and our tests put beside our options. An orchestrator that calls the service "dunlin" sets
// DUNLIN_PORT=tcp://… and DUNLIN_SERVICE_HOST for every other container.
constexpr std::string_view not_ours[] = {"DUNLIN_PORT", "DUNLIN_SERVICE_", "DUNLIN_TEST_"};

constexpr const char* file_variable = "DUNLIN_CONFIG";

std::string unknown(const Setting& setting) {
    auto sentence = setting.where + ": there is no option \"" + setting.name + "\"";
    auto near = nearest_option(setting.name);
    return sentence + (near.empty() ? "; docs/config.md lists them all" : "; did you mean \"" + near + "\"?");
}

void apply(const Setting& setting, Loaded& to, Words& mistakes) {
    auto option = find_option(setting.name);
    if (!option) {
        mistakes.push_back(unknown(setting));
        return;
    }
    try {
        if (setting.list && !is_list(*option)) throw ConfigError("takes one value, not a list");
        set_value(to.config, *option, setting.values);
        to.origins[setting.name] = setting.where;
    } catch (const ConfigError& e) {
        mistakes.push_back(setting.where + ": " + setting.name + " " + e.what());
    }
}

std::vector<Setting> from_environment(const Sources& sources) {
    std::vector<Setting> settings;
    for (const auto& [variable, value] : sources.environment) {
        if (!variable.starts_with("DUNLIN_") || variable == file_variable) continue;
        std::string name;
        for (char c : std::string_view(variable).substr(7))
            name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        auto foreign = [&](std::string_view prefix) { return variable.starts_with(prefix); };
        if (!find_option(name) && std::ranges::any_of(not_ours, foreign)) continue;
        settings.push_back({name, {value}, variable});
    }
    return settings;
}

// The folder is needed to find the file, so flags and environment are looked through for it first.
std::filesystem::path data_folder(const Sources& sources, const std::vector<Setting>& from_env) {
    for (auto settings : {&sources.flags, &from_env})
        for (const auto& setting : *settings)
            if (setting.name == "data" && setting.values.size() == 1) return setting.values.front();
    return Config{}.data;
}

std::string file_asked_for(const Sources& sources) {
    if (!sources.file.empty()) return sources.file;
    for (const auto& [variable, value] : sources.environment)
        if (variable == file_variable) return value;
    return {};
}

std::string lines(const Words& mistakes) {
    std::string text;
    for (const auto& mistake : mistakes) text += (text.empty() ? "" : "\n") + mistake;
    return text;
}

}  // namespace

std::string Loaded::origin(std::string_view option) const {
    auto found = origins.find(std::string(option));
    return found == origins.end() ? "default" : found->second;
}

std::vector<std::pair<std::string, std::string>> environment() {
    std::vector<std::pair<std::string, std::string>> all;
    for (auto entry = ::environ; *entry; ++entry) {
        std::string_view text = *entry;
        auto equals = text.find('=');
        if (equals != text.npos) all.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return all;
}

Loaded load(const Sources& sources) {
    Loaded loaded;
    Words mistakes;
    auto from_env = from_environment(sources);
    auto asked_for = file_asked_for(sources);
    auto file = data_folder(sources, from_env) / "dunlin.toml";
    if (!asked_for.empty()) file = asked_for;
    if (!asked_for.empty() || std::filesystem::exists(file)) {
        loaded.file = file;
        for (const auto& setting : read_file(file)) {
            if (asked_for.empty() && setting.name == "data")
                mistakes.push_back(setting.where + ": data cannot be set in the file inside the data folder");
            else apply(setting, loaded, mistakes);
        }
    }
    for (const auto& setting : from_env) apply(setting, loaded, mistakes);
    for (const auto& setting : sources.flags) apply(setting, loaded, mistakes);
    if (mistakes.empty()) complete(loaded.config, mistakes);
    if (!mistakes.empty()) throw ConfigError(lines(mistakes));
    return loaded;
}

}  // namespace server
