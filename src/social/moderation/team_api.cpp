// SPDX-License-Identifier: AGPL-3.0-or-later
// The team: its roles, and the log of what it did.
#include "http/route.hpp"
#include "social/moderation/account_action.hpp"

namespace moderation {
namespace {

using http::Viewer;

// The role of everybody has the one number that is below zero.
struct ById {
    std::string id;
};
DESCRIBE(ById, id)

base::RoleId role_id(const ById& path) {
    if (path.id == "-99") return accounts::everyone;
    auto number = http::form::path_id(&path.id);
    if (!number) throw base::NotFound();
    return {*number};
}

// What staff sees of a role beyond what everybody does.
struct StaffRole {
    base::RoleId id;
    std::string name, color;
    std::int64_t position = 0;
    std::string permissions;
    std::vector<std::string> permission_names;
    bool highlighted = false;
    std::int64_t collection_limit = 0;
    bool require_2fa = false;
};
DESCRIBE(
    StaffRole, id, name, color, position, permissions, permission_names, highlighted, collection_limit,
    require_2fa
)

StaffRole shown(const accounts::Role& role) {
    return {
        role.id,
        role.name,
        role.color,
        role.position,
        std::to_string(role.permissions),
        names_of_permissions(role.permissions),
        role.highlighted,
        role.collection_limit,
        role.require_2fa
    };
}

std::vector<StaffRole> index(db::Read& db, const Viewer&) {
    std::vector<StaffRole> out;
    for (const auto& role : accounts::roles(db)) out.push_back(shown(role));
    return out;
}

StaffRole show(db::Read& db, const Viewer&, const ById& path) {
    return shown(accounts::role(db, role_id(path)));
}

struct RoleFields {
    std::optional<std::string> name, color;
    std::optional<std::int64_t> position, permissions, collection_limit;
    std::optional<bool> highlighted, require_2fa;
};
DESCRIBE(RoleFields, name, color, position, permissions, collection_limit, highlighted, require_2fa)

accounts::RoleForm form_of(const RoleFields& given) {
    return {
        given.name,
        given.color,
        given.position,
        given.permissions,
        given.collection_limit,
        given.highlighted,
        given.require_2fa
    };
}

base::RoleId create(db::Write& db, const Viewer& me, const RoleFields& form) {
    return add_role(db, accounts::actor(db, me.account), form_of(form));
}

base::RoleId update(db::Write& db, const Viewer& me, const ById& path, const RoleFields& form) {
    edit_role(db, accounts::actor(db, me.account), role_id(path), form_of(form));
    return role_id(path);
}

void destroy(db::Write& db, const Viewer& me, const ById& path) {
    end_role(db, accounts::actor(db, me.account), role_id(path));
}

struct Giving {
    base::AccountId id;
    std::optional<std::int64_t> role_id;
};
DESCRIBE(Giving, id, role_id)

void give(db::Write& db, const Viewer& me, const Giving& form) {
    if (name_of(db, form.id).empty()) throw base::NotFound();
    if (!form.role_id) throw base::Invalid("Validation failed: Role can't be blank");
    give_role(db, accounts::actor(db, me.account), form.id, {*form.role_id});
}

// ---- the log ----

struct LogForm {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<40, 200> limit;
    std::optional<std::int64_t> account_id, target_id;
    std::string action, target_type;
};
DESCRIBE(LogForm, max_id, since_id, min_id, limit, account_id, target_id, action, target_type)

http::Page<AuditEntry> read_log(db::Read& db, const Viewer&, const LogForm& form) {
    AuditFilter filter;
    if (form.account_id) filter.actor = base::AccountId{*form.account_id};
    if (!form.action.empty()) filter.action = form.action;
    if (form.target_id && !form.target_type.empty()) filter.target = {form.target_type, *form.target_id};
    return http::page_by_id(audit_entries(db, http::range_of(form), filter), form);
}

AuditVerdict verify(db::Read& db, const Viewer&) { return verify_audit(db); }

// clang-format off
constexpr http::Route table[] = {
    http::get<index>        ("/api/dunlin/v1/moderation/roles",             "admin:read"),
    http::post<create, show>("/api/dunlin/v1/moderation/roles",             "admin:write"),
    http::get<show>         ("/api/dunlin/v1/moderation/roles/:id",         "admin:read"),
    http::put<update, show> ("/api/dunlin/v1/moderation/roles/:id",         "admin:write"),
    http::del<destroy>      ("/api/dunlin/v1/moderation/roles/:id",         "admin:write"),
    http::put<give>         ("/api/dunlin/v1/moderation/accounts/:id/role", "admin:write:accounts"),
    http::get<read_log>     ("/api/dunlin/v1/moderation/audit",             "admin:read"),
    http::get<verify>       ("/api/dunlin/v1/moderation/audit/verify",      "admin:read"),
};
// clang-format on

}  // namespace

std::span<const http::Route> team_routes() { return table; }

}  // namespace moderation
