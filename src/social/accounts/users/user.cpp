// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/user.hpp"

#include "social/accounts/account.hpp"
#include "social/accounts/administering.hpp"
#include "social/accounts/search.hpp"
#include "social/accounts/second_factor/second_factor.hpp"
#include "social/accounts/users/absence.hpp"
#include "social/accounts/users/access.hpp"
#include "social/accounts/users/confirmation.hpp"
#include "social/accounts/users/mail.hpp"
#include "social/accounts/users/sign_up.hpp"

namespace accounts {

#define USER_COLUMNS                                                                                    \
    "u.id, u.account_id, u.role_id, u.email, u.password_hash, u.confirmed_at, u.approved, u.disabled, " \
    "u.locale, u.time_zone, u.created_by_app_id, u.reason, u.unconfirmed_email, u.sign_up_address, "    \
    "u.last_active_at, u.created_at"

const db::Query<User> user_by_id{"user_by_id", "SELECT " USER_COLUMNS " FROM users u WHERE u.id = $1"};

std::optional<User> find_user(db::Read& db, UserId id) { return db.maybe(user_by_id, id); }

User user(db::Read& db, UserId id) { return db.one(user_by_id, id); }

const db::Query<User> user_by_account{
    "user_by_account", "SELECT " USER_COLUMNS " FROM users u WHERE u.account_id = $1"
};

std::optional<User> find_user_of(db::Read& db, AccountId id) { return db.maybe(user_by_account, id); }

bool may_write(db::Read& db, AccountId id) {
    auto user = find_user_of(db, id);
    auto account = find_account(db, id);
    return user && user->usable() && account && !account->suspended_at && !account->moved_to_id;
}

const db::Query<User> user_by_email{
    "user_by_email", "SELECT " USER_COLUMNS " FROM users u WHERE u.email = $1"
};

std::optional<User> find_by_email(db::Read& db, std::string_view email) {
    return db.maybe(user_by_email, normal_email(email));
}

const db::Query<User> user_by_username{
    "user_by_username",
    "SELECT " USER_COLUMNS
    " FROM accounts a JOIN users u ON u.account_id = a.id "
    "WHERE lower(a.username) = $1 AND a.domain = ''"
};

std::optional<User> find_for_sign_in(db::Read& db, std::string_view email_or_username) {
    auto name = normal_email(email_or_username);
    if (name.starts_with('@')) name.erase(0, 1);
    auto at = name.find('@');
    if (at == std::string::npos) return db.maybe(user_by_username, name);
    auto user = db.maybe(user_by_email, name);
    // A handle looks like an address, and people know theirs better. An address that nobody has confirmed may be anybody's.
    if ((!user || !user->confirmed_at) && std::string_view(name).substr(at + 1) == db.site().domain)
        if (auto named = db.maybe(user_by_username, name.substr(0, at))) return named;
    return user;
}

// 1: administrator. users_by_role holds those who have a role.
const db::Query<bool> some_owner{
    "some_owner",
    R"(SELECT EXISTS (SELECT 1 FROM roles r JOIN users u ON u.role_id = r.id
                      WHERE u.role_id <> -99 AND (r.permissions & 1) <> 0))"
};

bool has_owner(db::Read& db) { return db.one(some_owner); }

const db::Query<bool> some_other_owner{
    "some_other_owner",
    R"(SELECT EXISTS (SELECT 1 FROM roles r JOIN users u ON u.role_id = r.id
                      WHERE u.role_id <> -99 AND (r.permissions & 1) <> 0 AND u.id <> $1))"
};

bool is_only_owner(db::Read& db, UserId id) { return has_owner(db) && !db.one(some_other_owner, id); }

const db::Query<RoleId> role_by_name{"role_by_name", "SELECT id FROM roles WHERE lower(name) = $1"};

std::optional<RoleId> find_role(db::Read& db, std::string_view name) {
    return db.maybe(role_by_name, normal_email(name));
}

std::vector<base::FieldError> email_errors(db::Read& db, std::string_view email, UserId unless) {
    auto errors = email_form_errors(email);
    if (!errors.empty()) return errors;
    auto taken = find_by_email(db, email);
    if (taken && taken->id != unless) errors.push_back({"email", "ERR_TAKEN", "has already been taken"});
    return errors;
}

namespace {

void append(std::vector<base::FieldError>& to, std::vector<base::FieldError> more) {
    for (auto& error : more) to.push_back(std::move(error));
}

std::optional<std::string> unless_empty(const std::string& text) {
    if (text.empty()) return std::nullopt;
    return text;
}

template <class Id>
std::optional<Id> unless_none(Id id) {
    if (!id) return std::nullopt;
    return id;
}

}  // namespace

const db::Command insert_user{
    "insert_user",
    R"(INSERT INTO users (id, account_id, role_id, email, password_hash, confirmed_at, approved, locale, time_zone,
                          reason, age_verified_at, created_by_app_id, sign_up_address, created_at, invite_code)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15))"
};

UserId create_user(db::Write& db, const NewUser& form) {
    auto errors = username_errors(db, form.username);
    append(errors, email_errors(db, form.email));
    if (!errors.empty()) throw base::Invalid(std::move(errors));
    auto account = create(db, form.username);
    auto id = db.new_id<UserId>();
    std::optional<Time> confirmed, age_verified;
    if (form.confirmed) confirmed = db.now();
    if (form.age_verified) age_verified = db.now();
    db.run(
        insert_user,
        id,
        account,
        form.role,
        normal_email(form.email),
        form.password_hash,
        confirmed,
        form.approved,
        form.locale,
        unless_empty(form.time_zone),
        unless_empty(form.reason),
        age_verified,
        unless_none(form.app),
        form.address,
        db.now(),
        unless_empty(form.invite_code)
    );
    if (!form.address.empty()) note_address(db, id, form.address);
    db.emit(SignedUp{id, account});
    if (!form.confirmed) request_confirmation(db, id);
    if (!form.approved) db.emit(ApprovalWanted{id});
    if (form.confirmed && form.approved) db.emit(Activated{id, account});
    return id;
}

namespace {

// After a step on the way to a usable login.
void settle(db::Write& db, UserId id) {
    auto now = user(db, id);
    touch(db, now.account_id);
    if (now.confirmed_at && now.approved) db.emit(Activated{id, now.account_id});
}

}  // namespace

const db::Command confirm_user{
    "confirm_user",
    R"(UPDATE users SET confirmed_at = $2, confirmation_hash = NULL WHERE id = $1 AND confirmed_at IS NULL)"
};

void confirm(db::Write& db, UserId id) {
    if (db.run(confirm_user, id, db.now()) > 0) settle(db, id);
}

const db::Command approve_user{
    "approve_user", "UPDATE users SET approved = TRUE WHERE id = $1 AND approved = FALSE"
};

void approve(db::Write& db, UserId id) {
    if (db.run(approve_user, id) > 0) settle(db, id);
}

const db::Command disable_user{"disable_user", "UPDATE users SET disabled = $2 WHERE id = $1"};

void set_disabled(db::Write& db, UserId id, bool disabled) {
    // Tokens stay: every answer to them is a refusal while the login is disabled, and enabling brings them back.
    db.run(disable_user, id, disabled);
}

const db::Command change_role{"change_role", "UPDATE users SET role_id = $2 WHERE id = $1"};

void set_role(db::Write& db, UserId id, RoleId role) {
    db.run(change_role, id, role);
    touch(db, user(db, id).account_id);
}

// What was sent to the address of before to choose a new password opens nothing any more.
const db::Command change_email{
    "change_email",
    R"(UPDATE users SET email = $2, unconfirmed_email = NULL, confirmation_hash = NULL, reset_hash = NULL,
           reset_sent_at = NULL WHERE id = $1)"
};

void set_email(db::Write& db, UserId id, std::string_view email) {
    if (auto errors = email_errors(db, email, id); !errors.empty()) throw base::Invalid(std::move(errors));
    db.run(change_email, id, normal_email(email));
}

// An address that waits to be confirmed is forgotten: who wanted it may be why there is a new password.
const db::Command change_password{
    "change_password",
    R"(UPDATE users SET password_hash = $2, reset_hash = NULL, reset_sent_at = NULL, unconfirmed_email = NULL,
           confirmation_hash = CASE WHEN confirmed_at IS NULL THEN confirmation_hash ELSE NULL END WHERE id = $1)"
};

void set_password(db::Write& db, UserId id, const std::string& hash) {
    if (db.run(change_password, id, hash) == 0) throw base::NotFound();
    end_access(db, id);
    db.emit(PasswordChanged{id});
}

const db::Command delete_addresses_of{"delete_addresses_of", "DELETE FROM user_addresses WHERE user_id = $1"};
const db::Command delete_tokens_of{"delete_tokens_of", "DELETE FROM tokens WHERE user_id = $1"};
const db::Command delete_user{"delete_user", "DELETE FROM users WHERE id = $1"};

void remove_user(db::Write& db, UserId id) {
    end_access(db, id);
    forget_second_factors(db, id);
    db.run(delete_addresses_of, id);
    db.run(delete_tokens_of, id);
    db.run(delete_user, id);
    db.emit(UserRemoved{id});
}

constexpr std::int64_t day = 86'400;

const db::Command note_activity{
    "note_activity",
    "UPDATE users SET last_active_at = $2 WHERE id = $1 AND (last_active_at IS NULL OR last_active_at < $3)"
};
const db::Command note_day{
    "note_day", "INSERT INTO user_days (day, user_id) VALUES ($1, $2) ON CONFLICT (day, user_id) DO NOTHING"
};

// The day on which they were here before today, of those that are counted.
const db::Query<Time> day_before_today{
    "day_before_today",
    R"(SELECT COALESCE((SELECT d.day FROM user_days d
                        WHERE d.user_id = u.id AND d.day = u.last_active_at / 86400000 * 86400000), 0)
       FROM users u WHERE u.id = $1 AND (u.last_active_at IS NULL OR u.last_active_at < $2))"
};
const db::Command count_active_user{
    "count_active_user",
    R"(INSERT INTO active_days (day, seen_before, people) VALUES ($1, $2, 1)
       ON CONFLICT (day, seen_before) DO UPDATE SET people = active_days.people + 1)"
};

void record_activity(db::Write& db, UserId id) {
    auto today = db.now().midnight();
    const auto before = db.maybe(day_before_today, id, today);
    if (!before || db.run(note_activity, id, db.now(), today) == 0) return;
    db.run(note_day, today, id);
    db.run_last(count_active_user, today, *before);
    end_absence(db, id);
}

const db::Query<User> stale_sign_ups{
    "stale_sign_ups",
    "SELECT " USER_COLUMNS
    " FROM users u WHERE u.confirmed_at IS NULL AND u.created_at < $1 ORDER BY u.created_at LIMIT 20"
};
const db::Command delete_stale_account{"delete_stale_account", "DELETE FROM accounts WHERE id = $1"};

void reject_sign_up(db::Write& db, const User& user) {
    remove_user(db, user.id);
    db.run(delete_stale_account, user.account_id);
    forget_names(db, user.account_id);
}

void purge_unconfirmed(db::Write& db) {
    for (const auto& stale : db.all(stale_sign_ups, db.now().plus_seconds(-7 * day)))
        reject_sign_up(db, stale);
}

}  // namespace accounts
