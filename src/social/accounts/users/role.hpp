// SPDX-License-Identifier: AGPL-3.0-or-later
// What staff may do. A role has permissions and a position; an act on somebody of this site needs a role that stands above
// theirs. Whoever asks "may this person do that" asks here.
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
    bool require_2fa = false;  // who has it may do nothing before there is a second factor
};
DESCRIBE(Role, id, name, color, position, permissions, highlighted, collection_limit, require_2fa)

std::vector<Role> roles(db::Read&);  // the highest first
Role role(db::Read&, RoleId);        // throws NotFound

// Entity Role, with what it allows in the end.
struct RoleEntity {
    static constexpr std::string_view entity = "Role";
    RoleId id;
    std::string name, permissions, color;
    bool highlighted = false;
    std::int64_t collection_limit = 0;
};
DESCRIBE(RoleEntity, id, name, permissions, color, highlighted, collection_limit)
RoleEntity entity(const Role&, std::int64_t of_everyone);

// Who acts.
struct Actor {
    AccountId account;  // 0: the operator, at the command line
    RoleId role = everyone;
    std::int64_t position = -1, permissions = 0;

    bool may(std::int64_t any_of) const { return (permissions & any_of) != 0; }
    bool is_administrator() const { return permissions == all_permissions; }
};
Actor actor(db::Read&, AccountId);  // of one without a login: nothing is allowed
Actor the_operator();

// Of the team: whose own role allows one of these, or everything, and who is neither frozen nor suspended.
struct StaffMember {
    UserId user;
    AccountId account;
};
DESCRIBE(StaffMember, user, account)
std::vector<StaffMember> staff_who_may(db::Read&, std::int64_t any_of);
bool is_staff_who_may(db::Read&, UserId, std::int64_t any_of);  // one of those

void require(const Actor&, std::int64_t any_of);  // throws Forbidden
// Whether the role of the one stands above that of the other, who has none elsewhere. Nobody stands above themselves.
bool stands_above(db::Read&, const Actor&, AccountId target);
void require_above(db::Read&, const Actor&, AccountId target);  // throws Forbidden

// ---- editing: nobody gives what they have not, nor touches what stands above them ----

struct RoleForm {
    std::optional<std::string> name, color;
    std::optional<std::int64_t> position, permissions, collection_limit;
    std::optional<bool> highlighted, require_2fa;
};
// Each throws Forbidden, Invalid and NotFound.
RoleId create_role(db::Write&, const Actor&, const RoleForm&);
void change_role(db::Write&, const Actor&, RoleId, const RoleForm&);
void delete_role(db::Write&, const Actor&, RoleId);  // who had it has none any more
void assign_role(db::Write&, const Actor&, AccountId, RoleId);

}  // namespace accounts
