// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/email_subscriptions.hpp"

#include "social/accounts/account.hpp"
#include "social/accounts/users/user.hpp"
#include "social/instance/settings.hpp"

namespace accounts {

constexpr std::string_view offer = "email_subscriptions";

bool letters_are_offered(db::Read& db) { return instance::setting(db, offer) == "true"; }

void offer_letters(db::Write& db, bool offered) {
    instance::set_setting(db, offer, offered ? "true" : "false");
}

// 4194305: administrator, or manage_email_subscriptions.
#define MAY_OFFER_LETTERS "((r.permissions | e.permissions) & 4194305) <> 0"
#define OFFERS_LETTERS                                                              \
    "FROM users u JOIN accounts a ON a.id = u.account_id "                          \
    "JOIN roles r ON r.id = u.role_id JOIN roles e ON e.id = -99 "                  \
    "WHERE u.email_subscriptions = TRUE AND " MAY_OFFER_LETTERS                     \
    " AND u.confirmed_at IS NOT NULL AND u.approved = TRUE AND u.disabled = FALSE " \
    "AND a.suspended_at IS NULL AND a.memorial = FALSE AND a.moved_to_id IS NULL AND "

const db::Query<base::AccountId> accounts_offering_letters{
    "accounts_offering_letters", "SELECT u.account_id " OFFERS_LETTERS "u.account_id IN LIST($1)"
};

std::vector<base::AccountId> offering_letters(db::Read& db, const std::vector<base::AccountId>& ids) {
    if (ids.empty() || !letters_are_offered(db)) return {};
    return db.all(accounts_offering_letters, ids);
}

bool offers_letters(db::Read& db, base::AccountId id) { return !offering_letters(db, {id}).empty(); }

const db::Query<LettersChoice> user_letters_choice{
    "user_letters_choice",
    "SELECT " MAY_OFFER_LETTERS
    " AS allowed, u.email_subscriptions AS wanted FROM users u "
    "JOIN roles r ON r.id = u.role_id JOIN roles e ON e.id = -99 WHERE u.id = $1"
};

LettersChoice letters_choice(db::Read& db, base::UserId id) {
    auto choice = db.one(user_letters_choice, id);
    choice.allowed = choice.allowed && letters_are_offered(db);
    return choice;
}

const db::Command set_letters_choice{
    "set_letters_choice", "UPDATE users SET email_subscriptions = $2 WHERE id = $1"
};

void choose_letters(db::Write& db, base::UserId id, bool wanted) {
    if (!letters_choice(db, id).allowed) throw base::Forbidden();
    db.run(set_letters_choice, id, wanted);
    touch(db, user(db, id).account_id);
}

}  // namespace accounts
