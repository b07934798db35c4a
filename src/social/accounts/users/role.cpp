// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/role.hpp"

#include "base/text/utf8.hpp"
#include "social/accounts/account.hpp"

#include <algorithm>
#include <limits>

namespace accounts {

#define ROLES                                                                                         \
    "SELECT id, name, color, position, permissions, highlighted, collection_limit, require_2fa FROM " \
    "roles "

const db::Query<Role> all_roles{"all_roles", ROLES "ORDER BY position DESC, id"};
const db::Query<Role> role_by_id{"role_by_id", ROLES "WHERE id = $1"};

std::vector<Role> roles(db::Read& db) { return db.all(all_roles); }

Role role(db::Read& db, RoleId id) { return db.one(role_by_id, id); }

RoleEntity entity(const Role& role, std::int64_t of_everyone) {
    auto permissions =
        role.id == everyone ? role.permissions : effective_permissions(role.permissions, of_everyone);
    return {
        role.id, role.name, std::to_string(permissions), role.color, role.highlighted, role.collection_limit
    };
}

namespace {

struct Standing {
    RoleId role;
    std::int64_t position = -1, permissions = 0, of_everyone = 0;
};
DESCRIBE(Standing, role, position, permissions, of_everyone)

}  // namespace

const db::Query<Standing> standing_of_account{
    "standing_of_account",
    R"(SELECT r.id AS role, r.position, r.permissions, e.permissions AS of_everyone
       FROM users u JOIN roles r ON r.id = u.role_id JOIN roles e ON e.id = -99 WHERE u.account_id = $1)"
};

Actor actor(db::Read& db, AccountId account) {
    auto found = db.maybe(standing_of_account, account);
    if (!found) return {account};
    return {
        account, found->role, found->position, effective_permissions(found->permissions, found->of_everyone)
    };
}

Actor the_operator() { return {{}, owner, std::numeric_limits<std::int64_t>::max(), all_permissions}; }

// `+u.id`: sorted by id, but read by the index of users with a role.
const db::Query<StaffMember> usable_staff{
    "usable_staff",
    R"(SELECT u.id AS "user", u.account_id AS account
       FROM users u JOIN roles r ON r.id = u.role_id JOIN accounts a ON a.id = u.account_id
       WHERE u.role_id <> -99 AND (r.permissions & $1) <> 0 AND u.confirmed_at IS NOT NULL AND u.approved = TRUE
         AND u.disabled = FALSE AND a.suspended_at IS NULL
       ORDER BY +u.id)"
};

std::vector<StaffMember> staff_who_may(db::Read& db, std::int64_t any_of) {
    return db.all(usable_staff, any_of | administrator);
}

bool is_staff_who_may(db::Read& db, UserId user, std::int64_t any_of) {
    auto all = staff_who_may(db, any_of);
    return std::ranges::find(all, user, &StaffMember::user) != all.end();
}

void require(const Actor& who, std::int64_t any_of) {
    if (!who.may(any_of)) throw base::Forbidden();
}

bool stands_above(db::Read& db, const Actor& who, AccountId target) {
    if (who.account == target) return false;
    auto theirs = db.maybe(standing_of_account, target);
    return !theirs || who.position > theirs->position;
}

void require_above(db::Read& db, const Actor& who, AccountId target) {
    if (!stands_above(db, who, target)) throw base::Forbidden();
}

// Editing.

namespace {

constexpr std::int64_t most_position = 2'147'483'647;
constexpr std::int64_t for_everyone = permission::invite_users | permission::invite_bypass_approval;

bool is_colour(std::string_view text) {
    if (text.starts_with('#')) text.remove_prefix(1);
    auto is_hex = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    };
    return text.empty() || ((text.size() == 3 || text.size() == 6) && std::ranges::all_of(text, is_hex));
}

void check_role(const Role& now) {
    if (now.id != everyone && now.name.find_first_not_of(" \t") == std::string::npos)
        throw base::Invalid("Validation failed: Name can't be blank");
    if (!is_colour(now.color)) throw base::Invalid("Validation failed: Color is invalid");
    if (now.position < -most_position || now.position > most_position)
        throw base::Invalid("Validation failed: Position is out of range");
    if (now.collection_limit < 0)
        throw base::Invalid("Validation failed: Collection limit must be greater than or equal to 0");
    if ((now.permissions & ~all_permissions) != 0)
        throw base::Invalid("Validation failed: Permissions is not included in the list");
    if (now.id == everyone && (now.permissions & ~for_everyone) != 0)
        throw base::Invalid("Validation failed: Permissions cannot be given to everybody");
}

Role with(Role before, const RoleForm& form) {
    if (form.name && before.id != everyone) before.name = *form.name;
    if (form.color) before.color = *form.color;
    if (form.position && before.id != everyone) before.position = *form.position;
    if (form.permissions) before.permissions = *form.permissions;
    if (form.collection_limit) before.collection_limit = *form.collection_limit;
    if (form.highlighted) before.highlighted = *form.highlighted;
    if (form.require_2fa) before.require_2fa = *form.require_2fa;
    return before;
}

// Neither permissions nor a position beyond those of the actor.
void check_reach(const Actor& who, const Role& before, const Role& after) {
    auto given = after.permissions & ~before.permissions;
    if ((given & ~who.permissions) != 0)
        throw base::Invalid("Validation failed: Permissions cannot be given by who lacks them");
    if (after.position > who.position)
        throw base::Invalid("Validation failed: Position can't be higher than your current role");
}

}  // namespace

const db::Command insert_role{
    "insert_role",
    R"(INSERT INTO roles (id, name, color, position, permissions, highlighted, collection_limit, require_2fa)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8))"
};
const db::Command update_role{
    "update_role",
    R"(UPDATE roles SET name = $2, color = $3, position = $4, permissions = $5, highlighted = $6,
           collection_limit = $7, require_2fa = $8 WHERE id = $1)"
};
const db::Command remove_role{"remove_role", "DELETE FROM roles WHERE id = $1"};
const db::Command leave_role{
    "leave_role", "UPDATE users SET role_id = -99 WHERE role_id = $1 AND role_id <> -99"
};

RoleId create_role(db::Write& db, const Actor& who, const RoleForm& form) {
    require(who, permission::manage_roles);
    auto made = with({db.new_id<RoleId>()}, form);
    check_role(made);
    check_reach(who, {}, made);
    db.run(
        insert_role,
        made.id,
        made.name,
        made.color,
        made.position,
        made.permissions,
        made.highlighted,
        made.collection_limit,
        made.require_2fa
    );
    return made.id;
}

void change_role(db::Write& db, const Actor& who, RoleId id, const RoleForm& form) {
    require(who, permission::manage_roles);
    auto before = role(db, id);
    bool own = id == who.role;
    if (!own && before.position >= who.position) throw base::Forbidden();
    auto after = with(before, form);
    if (own && (after.permissions != before.permissions || after.position != before.position))
        throw base::Invalid("Validation failed: Permissions of your own role cannot change");
    if (own && after.require_2fa != before.require_2fa && !who.is_administrator()) throw base::Forbidden();
    check_role(after);
    check_reach(who, before, after);
    db.run(
        update_role,
        id,
        after.name,
        after.color,
        after.position,
        after.permissions,
        after.highlighted,
        after.collection_limit,
        after.require_2fa
    );
}

void delete_role(db::Write& db, const Actor& who, RoleId id) {
    require(who, permission::manage_roles);
    auto before = role(db, id);
    if (id == everyone || id == who.role || before.position >= who.position) throw base::Forbidden();
    db.run(leave_role, id);
    db.run(remove_role, id);
}

void assign_role(db::Write& db, const Actor& who, AccountId account, RoleId given) {
    require(who, permission::manage_roles);
    require_above(db, who, account);
    auto target = find_user_of(db, account);
    if (!target) throw base::NotFound();
    if (role(db, given).position > who.position)
        throw base::Invalid("Validation failed: Role can't be higher than your current role");
    set_role(db, target->id, given);
}

}  // namespace accounts
