// SPDX-License-Identifier: AGPL-3.0-or-later
// People of the team, for tests.
#pragma once
#include "social/accounts/users/role.hpp"
#include "world.hpp"

constexpr const char* staff_scopes = "read write follow push admin:read admin:write";

// With a role of every server: 1 Moderator, 2 Admin, 3 Owner; or one that was made.
inline Person staff(World& w, const std::string& name, base::RoleId role) {
    auto person = w.local(name);
    w.write([&](db::Write& db) {
        auto user = accounts::find_user_of(db, {std::stoll(person.id)});
        accounts::set_role(db, user->id, role);
    });
    auto out = w.with_scopes(person, staff_scopes);
    w.happened(), w.changed();
    return out;
}

inline base::RoleId role_with(World& w, std::int64_t permissions, std::int64_t position = 500) {
    return w.write([&](db::Write& db) {
        accounts::RoleForm form;
        form.name = "Role of " + std::to_string(permissions) + " at " + std::to_string(position);
        form.permissions = permissions;
        form.position = position;
        return accounts::create_role(db, accounts::the_operator(), form);
    });
}

// What the log says, oldest first: "resolve Report", …
inline std::vector<std::string> logged(World& w, const Person& reader) {
    auto entries = reader.get("/api/dunlin/v1/moderation/audit", {{"limit", "200"}});
    auto actions = entries.all("action"), kinds = entries.all("target_kind");
    std::vector<std::string> out;
    for (auto i = actions.size(); i-- > 0;) out.push_back(actions[i] + " " + kinds[i]);
    w.happened(), w.changed();
    return out;
}
