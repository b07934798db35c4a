// SPDX-License-Identifier: AGPL-3.0-or-later
// What the site is, as far as it is changed while it is served: its name, who may come, what visitors see. Every change is kept,
// with what was before it. What stands in the configuration of the server wins over what is stored here.
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
    std::string value = {};                 // as long as nothing is stored
    std::vector<std::string> choices = {};  // of a choice
    int least = 0, most = INT_MAX;          // of a number
    std::string set_at = {};  // where it is set so that it cannot be changed here: "dunlin.toml:3"
    bool option = false;      // of the configuration; otherwise only stored
};

// Called once, before anything else: the options of the configuration that are such settings. Others are known here.
void use_options(std::vector<SiteSetting>);

std::span<const SiteSetting> site_settings();            // first the options
const SiteSetting& site_setting(std::string_view name);  // throws NotFound

// As it is: what stands in the configuration, else what is stored, else the usual.
std::string value_of(db::Read&, const SiteSetting&);
// What is stored of options, by their names, and a number that grows with each change of it, whichever node makes it.
struct StoredOptions {
    std::int64_t version = 0;
    std::map<std::string, std::string> values;
};
std::int64_t version_of_options(db::Read&);
StoredOptions stored_options(db::Read&);
StoredOptions stored_options_named(
    db::Read&, std::span<const std::string> names
);  // whatever use_options() was given

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
// False: it is so already. Throws Invalid for what cannot be, and where the configuration wins. `by` 0: at the console.
bool set(db::Write&, base::AccountId by, const SiteSetting&, const std::string& value);
// Takes back the last change of a setting, which is one as well. Throws Invalid when it was not the last one.
std::string undo(db::Write&, base::AccountId by, SettingChangeId);  // its name

std::vector<SettingChange> setting_changes(db::Read&, const base::Range&);  // the latest first
std::vector<SettingChange> setting_changes(db::Read&, std::string_view name, int limit);

// Announced with each change of an option.
constexpr std::string_view options_channel = "site options";

}  // namespace instance
