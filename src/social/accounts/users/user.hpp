// SPDX-License-Identifier: AGPL-3.0-or-later
// Users: who may log in, with which address, password and role. Each has one local account; what others see of
// it is account.hpp.
#pragma once
#include "db/session.hpp"

#include <cstdint>

namespace accounts {

using base::AccountId;
using base::AppId;
using base::RoleId;
using base::Time;
using base::UserId;

struct User {
    UserId id;
    AccountId account_id;
    RoleId role_id;
    std::string email, password_hash;
    std::optional<Time> confirmed_at;
    bool approved = true, disabled = false;
    std::string locale;
    std::optional<std::string> time_zone;
    AppId created_by_app_id;
    std::optional<std::string> reason, unconfirmed_email;
    std::string sign_up_address;
    std::optional<Time> last_active_at;
    Time created_at;

    bool usable() const { return confirmed_at && approved && !disabled; }
};
DESCRIBE(
    User, id, account_id, role_id, email, password_hash, confirmed_at, approved, disabled, locale, time_zone,
    created_by_app_id, reason, unconfirmed_email, sign_up_address, last_active_at, created_at
)

std::optional<User> find_user(db::Read&, UserId);
User user(db::Read&, UserId);  // throws NotFound
std::optional<User> find_user_of(db::Read&, AccountId);
std::optional<User> find_by_email(db::Read&, std::string_view email);
std::optional<User> find_for_sign_in(db::Read&, std::string_view email_or_username);
bool has_owner(db::Read&);  // whether anybody may administer this server
bool is_only_owner(db::Read&, UserId);

// Roles that every database has.
constexpr RoleId everyone{-99}, moderator{1}, admin{2}, owner{3};
std::optional<RoleId> find_role(db::Read&, std::string_view name);

// What is wrong with an address for a new user or for `unless`, as the field `email`.
std::vector<base::FieldError> email_errors(db::Read&, std::string_view email, UserId unless = {});
// The form in which addresses are stored and compared.
std::string normal_email(std::string_view email);

struct NewUser {
    std::string username, email, password_hash;
    RoleId role = everyone;
    bool confirmed = false, approved = true;
    std::string locale, time_zone, reason;
    bool age_verified = false;
    AppId app;
    std::string address;  // from which the sign-up came
    std::string invite_code = {};
};

// Makes the account, too; an unconfirmed user is sent the confirmation mail. Throws Invalid.
UserId create_user(db::Write&, const NewUser&);

// The user can log in from now on: confirmed and approved, for the first time.
struct Activated {
    UserId user;
    AccountId account;
};
DESCRIBE(Activated, user, account)
// A sign-up waits for a moderator.
struct ApprovalWanted {
    UserId user;
};
DESCRIBE(ApprovalWanted, user)
struct PasswordChanged {
    UserId user;
};
DESCRIBE(PasswordChanged, user)

void confirm(db::Write&, UserId);
void approve(db::Write&, UserId);
void set_disabled(db::Write&, UserId, bool disabled);  // disabling ends all access
void set_role(db::Write&, UserId, RoleId);
void set_email(db::Write&, UserId, std::string_view email);  // without confirmation; throws Invalid
// Ends all access: tokens, codes and web sessions.
void set_password(db::Write&, UserId, const std::string& hash);
void remove_user(db::Write&, UserId);  // and all access; the account stays

// Whether what was begun in somebody's name may go on: they can log in, and the account is neither suspended nor moved away.
bool may_write(db::Read&, AccountId);

// Remembers that the user was here, at most once a day.
void record_activity(db::Write&, UserId);

// Removes sign-ups that were not confirmed within a week, with their accounts. A few hundred a time.
void purge_unconfirmed(db::Write&);

// What a role allows, in bits (the API's Role.permissions).
constexpr std::int64_t administrator = 1 << 0;
constexpr std::int64_t all_permissions = (1 << 23) - 1;

// Everybody has what the role "everyone" allows, and an administrator has all.
constexpr std::int64_t effective_permissions(std::int64_t of_role, std::int64_t of_everyone) {
    auto bits = of_role | of_everyone;
    return bits & administrator ? all_permissions : bits;
}

}  // namespace accounts
