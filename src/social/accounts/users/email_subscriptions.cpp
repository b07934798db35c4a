// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/email_subscriptions.hpp"

#include "social/accounts/account.hpp"
#include "social/accounts/users/user.hpp"
#include "social/instance/settings.hpp"

namespace accounts {

constexpr std::string_view offer = "email_subscriptions";

bool digests_are_offered(db::Read& db) { return instance::setting(db, offer) == "true"; }

void offer_digests(db::Write& db, bool offered) {
    instance::set_setting(db, offer, offered ? "true" : "false");
}

// 4194305: administrator, or manage_email_subscriptions.
#define MAY_OFFER_DIGESTS "((r.permissions | e.permissions) & 4194305) <> 0"
#define OFFERS_DIGESTS                                                              \
    "FROM users u JOIN accounts a ON a.id = u.account_id "                          \
    "JOIN roles r ON r.id = u.role_id JOIN roles e ON e.id = -99 "                  \
    "WHERE u.email_subscriptions = TRUE AND " MAY_OFFER_DIGESTS                     \
    " AND u.confirmed_at IS NOT NULL AND u.approved = TRUE AND u.disabled = FALSE " \
    "AND a.suspended_at IS NULL AND a.memorial = FALSE AND a.moved_to_id IS NULL AND "

const db::Query<base::AccountId> accounts_offering_digests{
    "accounts_offering_digests", "SELECT u.account_id " OFFERS_DIGESTS "u.account_id IN LIST($1)"
};

std::vector<base::AccountId> offering_digests(db::Read& db, const std::vector<base::AccountId>& ids) {
    if (ids.empty() || !digests_are_offered(db)) return {};
    return db.all(accounts_offering_digests, ids);
}

bool offers_digests(db::Read& db, base::AccountId id) { return !offering_digests(db, {id}).empty(); }

const db::Query<DigestChoice> user_digest_choice{
    "user_digest_choice",
    "SELECT " MAY_OFFER_DIGESTS
    " AS allowed, u.email_subscriptions AS wanted FROM users u "
    "JOIN roles r ON r.id = u.role_id JOIN roles e ON e.id = -99 WHERE u.id = $1"
};

DigestChoice digest_choice(db::Read& db, base::UserId id) {
    auto choice = db.one(user_digest_choice, id);
    choice.allowed = choice.allowed && digests_are_offered(db);
    return choice;
}

const db::Command set_digest_choice{
    "set_digest_choice", "UPDATE users SET email_subscriptions = $2 WHERE id = $1"
};

void choose_digests(db::Write& db, base::UserId id, bool wanted) {
    if (!digest_choice(db, id).allowed) throw base::Forbidden();
    db.run(set_digest_choice, id, wanted);
    touch(db, user(db, id).account_id);
}

}  // namespace accounts
