// SPDX-License-Identifier: AGPL-3.0-or-later
// Permissions of staff. A role has permissions and a position; an action on a local user requires a role
// above theirs. All permission checks use these functions.
#pragma once
#include "social/accounts/users/user.hpp"

namespace accounts {

// Role.permissions of the API. `administrator` (user.hpp) is all of them.
namespace permission {
constexpr std::int64_t view_devops = 1 << 1, view_audit_log = 1 << 2, view_dashboard = 1 << 3,
                       manage_reports = 1 << 4, manage_federation = 1 << 5, manage_settings = 1 << 6,
                       manage_blocks = 1 << 7, manage_taxonomies = 1 << 8, manage_appeals = 1 << 9,
                       manage_users = 1 << 10, manage_invites = 1 << 11, manage_rules = 1 << 12,
                       manage_announcements = 1 << 13, manage_custom_emojis = 1 << 14,
                       manage_webhooks = 1 << 15, invite_users = 1 << 16, manage_roles = 1 << 17,
                       manage_user_access = 1 << 18, delete_user_data = 1 << 19, view_feeds = 1 << 20,
                       invite_bypass_approval = 1 << 21, manage_email_subscriptions = 1 << 22;
}

struct Role {
    RoleId id;
    std::string name, color;
    std::int64_t position = 0, permissions = 0;
    bool highlighted = false;
    std::int64_t collection_limit = 10;
    bool require_2fa = false;  // members need a second factor before they may do anything
};
DESCRIBE(Role, id, name, color, position, permissions, highlighted, collection_limit, require_2fa)

std::vector<Role> roles(db::Read&);  // highest first
Role role(db::Read&, RoleId);        // throws NotFound

// Entity Role, with the effective permissions.
struct RoleEntity {
    static constexpr std::string_view entity = "Role";
    RoleId id;
    std::string name, permissions, color;
    bool highlighted = false;
    std::int64_t collection_limit = 0;
};
DESCRIBE(RoleEntity, id, name, permissions, color, highlighted, collection_limit)
RoleEntity entity(const Role&, std::int64_t of_everyone);

// The account that performs an action.
struct Actor {
    AccountId account;  // 0: the operator, at the command line
    RoleId role = everyone;
    std::int64_t position = -1, permissions = 0;

    bool may(std::int64_t any_of) const { return (permissions & any_of) != 0; }
    bool is_administrator() const { return permissions == all_permissions; }
};
Actor actor(db::Read&, AccountId);  // without a login: no permissions
Actor the_operator();

// A team member: their own role has one of these permissions, or all, and they are neither disabled nor
// suspended.
struct StaffMember {
    UserId user;
    AccountId account;
};
DESCRIBE(StaffMember, user, account)
std::vector<StaffMember> staff_who_may(db::Read&, std::int64_t any_of);
bool is_staff_who_may(db::Read&, UserId, std::int64_t any_of);  // whether the user is one of those

void require(const Actor&, std::int64_t any_of);  // throws Forbidden
// Whether the actor's role is above that of the target; remote accounts have none. Nobody is above
// themselves.
bool stands_above(db::Read&, const Actor&, AccountId target);
void require_above(db::Read&, const Actor&, AccountId target);  // throws Forbidden

// Editing: an actor cannot grant permissions they lack, nor change a role above their own.

struct RoleForm {
    std::optional<std::string> name, color;
    std::optional<std::int64_t> position, permissions, collection_limit;
    std::optional<bool> highlighted, require_2fa;
};
// All of them throw Forbidden, Invalid and NotFound.
RoleId create_role(db::Write&, const Actor&, const RoleForm&);
void change_role(db::Write&, const Actor&, RoleId, const RoleForm&);
void delete_role(db::Write&, const Actor&, RoleId);  // its members have no role then
void assign_role(db::Write&, const Actor&, AccountId, RoleId);

}  // namespace accounts
