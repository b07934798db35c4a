// SPDX-License-Identifier: AGPL-3.0-or-later
// Roles, by the rules of accounts/users/role.hpp, and preset texts for warnings. Changes are logged.
#pragma once
#include "social/moderation/audit.hpp"

namespace moderation {

base::RoleId add_role(db::Write&, const accounts::Actor&, const accounts::RoleForm&);
void edit_role(db::Write&, const accounts::Actor&, base::RoleId, const accounts::RoleForm&);
void end_role(db::Write&, const accounts::Actor&, base::RoleId);
void give_role(db::Write&, const accounts::Actor&, base::AccountId, base::RoleId);

// Converts permission names ("manage_users") to bits, and back. Throws Invalid for an unknown one.
std::int64_t permissions_named(const std::vector<std::string>&);
std::vector<std::string> names_of_permissions(std::int64_t);

// ---- texts for warnings, written once ----

using PresetId = base::Id<struct PresetTag>;

struct WarningPreset {
    PresetId id;
    std::string title, text;
};
DESCRIBE(WarningPreset, id, title, text)
std::vector<WarningPreset> warning_presets(db::Read&);
WarningPreset warning_preset(db::Read&, PresetId);  // throws NotFound
PresetId
put_warning_preset(db::Write&, const accounts::Actor&, const WarningPreset&);  // without an id: a new one
void remove_warning_preset(db::Write&, const accounts::Actor&, PresetId);

}  // namespace moderation
