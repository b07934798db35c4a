// SPDX-License-Identifier: AGPL-3.0-or-later
// Settings of the site that can be changed at runtime: its name, registrations, what visitors see. Every
// change is recorded with the former value. The server's configuration file takes precedence over what is
// stored here.
#pragma once
#include "base/page.hpp"
#include "db/session.hpp"

#include <climits>
#include <map>

namespace instance {

enum class SettingKind { text, number, yes_or_no, choice, list };

struct SiteSetting {
    std::string name;
    SettingKind kind = SettingKind::text;
    std::string value = {};                 // the default
    std::vector<std::string> choices = {};  // for a choice
    int least = 0, most = INT_MAX;          // for a number
    std::string set_at = {};                // where the configuration fixes it: "dunlin.toml:3"
    bool option = false;                    // of the configuration; otherwise only stored
};

// Called once, before anything else, with the options of the configuration that are such settings. The others
// are defined here.
void use_options(std::vector<SiteSetting>);

std::span<const SiteSetting> site_settings();            // options first
const SiteSetting& site_setting(std::string_view name);  // throws NotFound

// The effective value: from the configuration, else stored, else the default.
std::string value_of(db::Read&, const SiteSetting&);
// The stored options by name, and a number that increases with each change, on any node.
struct StoredOptions {
    std::int64_t version = 0;
    std::map<std::string, std::string> values;
};
std::int64_t version_of_options(db::Read&);
StoredOptions stored_options(db::Read&);
StoredOptions stored_options_named(
    db::Read&, std::span<const std::string> names
);  // independent of use_options()

using SettingChangeId = base::Id<struct SettingChangeTag>;

struct SettingChange {
    SettingChangeId id;
    std::string name;
    base::AccountId actor_id;
    base::Time at;
    std::optional<std::string> before_value, after_value;
};
DESCRIBE(SettingChange, id, name, actor_id, at, before_value, after_value)

void require_possible(const SiteSetting&, const std::string& value);  // throws Invalid
// Returns false if it has this value already. Throws Invalid for an invalid value, and if the configuration
// takes precedence. `by` 0: at the console.
bool set(db::Write&, base::AccountId by, const SiteSetting&, const std::string& value);
// Undoes the last change of a setting, as a change of its own. Throws Invalid if it was not the last one.
std::string undo(db::Write&, base::AccountId by, SettingChangeId);  // its name

std::vector<SettingChange> setting_changes(db::Read&, const base::Range&);  // latest first
std::vector<SettingChange> setting_changes(db::Read&, std::string_view name, int limit);

// Announced with each change of an option.
constexpr std::string_view options_channel = "site options";

}  // namespace instance
