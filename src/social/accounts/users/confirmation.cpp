// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/confirmation.hpp"

#include "base/crypto.hpp"
#include "social/accounts/users/canonical_block.hpp"
#include "social/accounts/users/sign_up_blocks.hpp"

namespace accounts {

namespace {

constexpr std::int64_t hour = 3600;
constexpr std::int64_t confirm_within = 48 * hour, reset_within = 6 * hour;

}  // namespace

const db::Command set_confirmation{
    "set_confirmation", "UPDATE users SET confirmation_hash = $2, confirmation_sent_at = $3 WHERE id = $1"
};

void request_confirmation(db::Write& db, UserId id) {
    ConfirmationWanted event{id, base::random_token()};
    db.run(set_confirmation, id, base::sha256_hex(event.secret), db.now());
    db.emit(event);
}

const db::Command set_pending_email{
    "set_pending_email", "UPDATE users SET unconfirmed_email = $2 WHERE id = $1"
};

// The same checks as at sign-up, so that they cannot be bypassed. Mail servers are not looked up here.
std::vector<base::FieldError> new_email_errors(db::Read& db, UserId id, std::string_view email) {
    auto errors = email_errors(db, email, id);
    if (!errors.empty()) return errors;
    if (canonical_block_of(db, email)) errors.push_back({"email", "ERR_TAKEN", "has already been taken"});
    else if (auto block = block_of_email(db, email, {}); block && !block->allow_with_approval)
        errors.push_back({"email", "ERR_BLOCKED", "uses a disallowed e-mail provider"});
    return errors;
}

void request_email(db::Write& db, UserId id, std::string_view email) {
    if (auto errors = new_email_errors(db, id, email); !errors.empty())
        throw base::Invalid(std::move(errors));
    if (user(db, id).confirmed_at) db.run(set_pending_email, id, normal_email(email));
    else set_email(db, id, email);
    request_confirmation(db, id);
}

bool awaits_confirmation(const User& user) { return !user.confirmed_at || user.unconfirmed_email; }

const db::Query<UserId> user_by_confirmation{
    "user_by_confirmation", "SELECT id FROM users WHERE confirmation_hash = $1 AND confirmation_sent_at > $2"
};
const db::Command forget_confirmation{
    "forget_confirmation", "UPDATE users SET confirmation_hash = NULL, unconfirmed_email = NULL WHERE id = $1"
};

std::optional<User> find_by_confirmation_secret(db::Read& db, std::string_view secret) {
    if (secret.empty()) return std::nullopt;
    auto since = db.now().plus_seconds(-confirm_within);
    auto id = db.maybe(user_by_confirmation, base::sha256_hex(secret), since);
    return id ? find_user(db, *id) : std::nullopt;
}

std::optional<UserId> confirm_by_secret(db::Write& db, std::string_view secret) {
    auto user = find_by_confirmation_secret(db, secret);
    if (!user) return std::nullopt;
    db.run(forget_confirmation, user->id);
    if (auto pending = user->unconfirmed_email) {
        if (!email_errors(db, *pending, user->id).empty()) return std::nullopt;
        set_email(db, user->id, *pending);
    }
    confirm(db, user->id);
    return user->id;
}

const db::Command set_reset{
    "set_reset", "UPDATE users SET reset_hash = $2, reset_sent_at = $3 WHERE id = $1"
};

void request_password_reset(db::Write& db, UserId id) {
    PasswordResetWanted event{id, base::random_token()};
    db.run(set_reset, id, base::sha256_hex(event.secret), db.now());
    db.emit(event);
}

const db::Query<UserId> user_by_reset{
    "user_by_reset", "SELECT id FROM users WHERE reset_hash = $1 AND reset_sent_at > $2"
};

std::optional<User> find_by_reset_secret(db::Read& db, std::string_view secret) {
    if (secret.empty()) return std::nullopt;
    auto id = db.maybe(user_by_reset, base::sha256_hex(secret), db.now().plus_seconds(-reset_within));
    return id ? find_user(db, *id) : std::nullopt;
}

}  // namespace accounts
