// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/team.hpp"

#include "base/json.hpp"
#include "base/text/blank.hpp"
#include "social/moderation/account_action.hpp"

#include <algorithm>
#include <array>

namespace moderation {

namespace {

// By their bits.
constexpr std::array<std::string_view, 23> names{
    "administrator",
    "view_devops",
    "view_audit_log",
    "view_dashboard",
    "manage_reports",
    "manage_federation",
    "manage_settings",
    "manage_blocks",
    "manage_taxonomies",
    "manage_appeals",
    "manage_users",
    "manage_invites",
    "manage_rules",
    "manage_announcements",
    "manage_custom_emojis",
    "manage_webhooks",
    "invite_users",
    "manage_roles",
    "manage_user_access",
    "delete_user_data",
    "view_feeds",
    "invite_bypass_approval",
    "manage_email_subscriptions",
};

Subject subject(const accounts::Role& role) { return {"UserRole", role.id.value, role.name}; }

// What it allows before and after, where that changed.
struct RoleChange {
    std::int64_t permissions_before = 0, permissions = 0, position_before = 0, position = 0;
    bool require_2fa = false;
};
DESCRIBE(RoleChange, permissions_before, permissions, position_before, position, require_2fa)

}  // namespace

base::RoleId add_role(db::Write& db, const accounts::Actor& who, const accounts::RoleForm& form) {
    auto id = accounts::create_role(db, who, form);
    auto made = accounts::role(db, id);
    log(db,
        who,
        "create",
        subject(made),
        base::json::to_string(RoleChange{0, made.permissions, 0, made.position, made.require_2fa}));
    return id;
}

void edit_role(db::Write& db, const accounts::Actor& who, base::RoleId id, const accounts::RoleForm& form) {
    auto before = accounts::role(db, id);
    accounts::change_role(db, who, id, form);
    auto after = accounts::role(db, id);
    log(db,
        who,
        "update",
        subject(after),
        base::json::to_string(RoleChange{
            before.permissions, after.permissions, before.position, after.position, after.require_2fa
        }));
}

void end_role(db::Write& db, const accounts::Actor& who, base::RoleId id) {
    auto gone = accounts::role(db, id);
    accounts::delete_role(db, who, id);
    log(db, who, "destroy", subject(gone));
}

void give_role(db::Write& db, const accounts::Actor& who, base::AccountId account, base::RoleId id) {
    accounts::assign_role(db, who, account, id);
    auto user = accounts::find_user_of(db, account);
    log(db,
        who,
        "change_role",
        {"User", user->id.value, name_of(db, account)},
        base::json::to_string(accounts::role(db, id).name));
}

std::int64_t permissions_named(const std::vector<std::string>& words) {
    std::int64_t out = 0;
    for (const auto& word : words) {
        auto found = std::ranges::find(names, word);
        if (found == names.end()) throw base::Invalid("There is no permission " + word);
        out |= std::int64_t{1} << (found - names.begin());
    }
    return out;
}

std::vector<std::string> names_of_permissions(std::int64_t bits) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < names.size(); ++i)
        if ((bits >> i & 1) != 0) out.emplace_back(names[i]);
    return out;
}

// ---- presets ----

const db::Query<WarningPreset> all_warning_presets{
    "all_warning_presets", "SELECT id, title, text FROM warning_presets ORDER BY title, id"
};
const db::Query<WarningPreset> warning_preset_by_id{
    "warning_preset_by_id", "SELECT id, title, text FROM warning_presets WHERE id = $1"
};
const db::Command upsert_warning_preset{
    "upsert_warning_preset",
    R"(INSERT INTO warning_presets (id, title, text) VALUES ($1, $2, $3)
       ON CONFLICT (id) DO UPDATE SET title = excluded.title, text = excluded.text)"
};
const db::Command delete_warning_preset{"delete_warning_preset", "DELETE FROM warning_presets WHERE id = $1"};

std::vector<WarningPreset> warning_presets(db::Read& db) { return db.all(all_warning_presets); }

WarningPreset warning_preset(db::Read& db, PresetId id) { return db.one(warning_preset_by_id, id); }

PresetId put_warning_preset(db::Write& db, const accounts::Actor& who, const WarningPreset& given) {
    accounts::require(who, accounts::permission::manage_settings);
    bool is_new = !given.id;
    auto id = is_new ? db.new_id<PresetId>() : warning_preset(db, given.id).id;
    if (base::text::is_blank(given.text)) throw base::Invalid("Validation failed: Text can't be blank");
    db.run(upsert_warning_preset, id, given.title, given.text);
    log(db, who, is_new ? "create" : "update", {"AccountWarningPreset", id.value, given.title});
    return id;
}

void remove_warning_preset(db::Write& db, const accounts::Actor& who, PresetId id) {
    accounts::require(who, accounts::permission::manage_settings);
    auto gone = warning_preset(db, id);
    db.run(delete_warning_preset, id);
    log(db, who, "destroy", {"AccountWarningPreset", id.value, gone.title});
}

}  // namespace moderation
