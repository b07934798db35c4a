// SPDX-License-Identifier: AGPL-3.0-or-later
#include "config/config_load.hpp"

#include "base/text/utf8.hpp"
#include "config/config_table.hpp"

#include <unistd.h>
#include <algorithm>

namespace server {

namespace {

// Variables of containers and of our tests that are not options. For a service named "dunlin", an
// orchestrator sets DUNLIN_PORT=tcp://… and DUNLIN_SERVICE_HOST in every other container.
constexpr std::string_view not_ours[] = {"DUNLIN_PORT", "DUNLIN_SERVICE_", "DUNLIN_TEST_"};

constexpr const char* file_variable = "DUNLIN_CONFIG";

std::string unknown(const Setting& setting) {
    auto sentence = "there is no option \"" + setting.name + "\"";
    auto near = nearest_option(setting.name);
    return sentence + (near.empty() ? "; docs/config.md lists them all" : "; did you mean \"" + near + "\"?");
}

void apply(const Setting& setting, Loaded& to, Findings& mistakes) {
    auto say = [&](std::string text) {
        mistakes.push_back({Level::fault, setting.name, setting.where, std::move(text)});
    };
    auto option = find_option(setting.name);
    if (!option) return say(unknown(setting));
    try {
        if (setting.list && !is_list(*option)) throw ConfigError("takes one value, not a list");
        set_value(to.config, *option, setting.values);
        to.origins[setting.name] = setting.where;
    } catch (const ConfigError& e) {
        say(setting.name + " " + e.what());
    }
}

std::vector<Setting> from_environment(const Sources& sources) {
    std::vector<Setting> settings;
    for (const auto& [variable, value] : sources.environment) {
        if (!variable.starts_with("DUNLIN_") || variable == file_variable) continue;
        auto name = base::text::ascii_lowered(std::string_view(variable).substr(7));
        auto foreign = [&](std::string_view prefix) { return variable.starts_with(prefix); };
        if (!find_option(name) && std::ranges::any_of(not_ours, foreign)) continue;
        settings.push_back({name, {value}, variable});
    }
    return settings;
}

// The data folder is needed to find the file, so flags and environment are searched for it first.
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

std::string lines(const Findings& all) {
    std::string text;
    for (const auto& finding : all) text += (text.empty() ? "" : "\n") + line_of(finding);
    return text;
}

// "tls_cert: …" and "tls_cert and tls_key …" are about tls_cert.
std::string option_of(const std::string& sentence) {
    return sentence.substr(0, sentence.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"));
}

}  // namespace

Mistakes::Mistakes(Findings found) : ConfigError(lines(found)), all(std::move(found)) {}

Level worst_of(const Findings& all) {
    auto worst = std::ranges::max_element(all, {}, &Finding::level);
    return worst == all.end() ? Level::ok : worst->level;
}

std::string line_of(const Finding& finding) {
    if (finding.place.empty()) return finding.text;
    // A flag or variable already names the option.
    const bool in_file = finding.place.find(':') != std::string::npos;
    const auto named = finding.option + ": ";
    const bool twice = !in_file && finding.text.starts_with(named);
    return finding.place + ": " + finding.text.substr(twice ? named.size() : 0);
}

Findings Loaded::findings(Level level, const Words& sentences) const {
    Findings found;
    for (const auto& sentence : sentences) {
        auto option = option_of(sentence);
        auto place = origins.find(option);
        found.push_back({level, option, place == origins.end() ? "" : place->second, sentence});
    }
    return found;
}

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
    Findings mistakes;
    auto from_env = from_environment(sources);
    auto asked_for = file_asked_for(sources);
    auto file = data_folder(sources, from_env) / "dunlin.toml";
    if (!asked_for.empty()) file = asked_for;
    if (!asked_for.empty() || std::filesystem::exists(file)) {
        loaded.file = file;
        for (const auto& setting : read_file(file)) {
            if (asked_for.empty() && setting.name == "data")
                mistakes.push_back(
                    {Level::fault,
                     setting.name,
                     setting.where,
                     "data cannot be set in the file inside the data folder; give it with --data or "
                     "DUNLIN_DATA"}
                );
            else apply(setting, loaded, mistakes);
        }
    }
    for (const auto& setting : from_env) apply(setting, loaded, mistakes);
    for (const auto& setting : sources.flags) apply(setting, loaded, mistakes);
    if (mistakes.empty()) {
        Words together;
        complete(loaded.config, together);
        mistakes = loaded.findings(Level::fault, together);
    }
    if (!mistakes.empty()) throw Mistakes(std::move(mistakes));
    loaded.config.set_at = loaded.origins;
    return loaded;
}

}  // namespace server
