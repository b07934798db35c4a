// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/email_digests/subscription.hpp"

#include "base/crypto.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/users/email_subscriptions.hpp"
#include "social/accounts/users/mail.hpp"
#include "social/accounts/users/user.hpp"
#include "social/instance/settings.hpp"

#include <charconv>

namespace email_digests {

namespace {

constexpr std::int64_t hour = 3600, confirm_within = 48 * hour, unconfirmed_kept = 7 * 24 * hour;
constexpr std::int64_t between_confirmations = hour;

struct Found {
    SubscriptionId id;
    Time confirmation_sent_at;
    std::optional<Time> confirmed_at;
};
DESCRIBE(Found, id, confirmation_sent_at, confirmed_at)

struct Confirmed {
    SubscriptionId id;
    AccountId account_id;
};
DESCRIBE(Confirmed, id, account_id)

}  // namespace

const db::Query<Found> email_subscription_of{
    "email_subscription_of",
    R"(SELECT id, confirmation_sent_at, confirmed_at FROM email_subscriptions
       WHERE account_id = $1 AND email = $2)"
};
const db::Command insert_email_subscription{
    "insert_email_subscription",
    R"(INSERT INTO email_subscriptions (id, account_id, email, confirmation_hash, confirmation_sent_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $5))"
};
const db::Command renew_email_confirmation{
    "renew_email_confirmation",
    "UPDATE email_subscriptions SET confirmation_hash = $2, confirmation_sent_at = $3 WHERE id = $1"
};

void subscribe(db::Write& db, AccountId account, std::string_view given) {
    if (!accounts::offers_digests(db, account)) throw base::NotFound();
    if (auto errors = accounts::email_form_errors(given); !errors.empty())
        throw base::Invalid(std::move(errors));
    auto email = accounts::normal_email(given);
    SubscriptionWanted wanted{{}, base::random_token()};
    auto hash = base::sha256_hex(wanted.secret);
    if (auto found = db.maybe(email_subscription_of, account, email)) {
        // Whoever types a stranger's address again and again does not fill the stranger's mailbox.
        bool recent = found->confirmation_sent_at.plus_seconds(between_confirmations) > db.now();
        if (found->confirmed_at || recent) return;
        wanted.id = found->id;
        db.run(renew_email_confirmation, wanted.id, hash, db.now());
    } else {
        wanted.id = db.new_id<SubscriptionId>();
        db.run(insert_email_subscription, wanted.id, account, email, hash, db.now());
    }
    db.emit(wanted);
}

const db::Query<Confirmed> email_subscription_to_confirm{
    "email_subscription_to_confirm",
    R"(SELECT id, account_id FROM email_subscriptions
       WHERE confirmation_hash = $1 AND confirmation_sent_at > $2)"
};
const db::Command confirm_email_subscription{
    "confirm_email_subscription",
    R"(UPDATE email_subscriptions SET confirmed_at = $2, sent_up_to = $3, confirmation_hash = NULL
       WHERE id = $1)"
};

std::optional<AccountId> confirm(db::Write& db, std::string_view secret) {
    auto since = db.now().plus_seconds(-confirm_within);
    auto found = db.maybe(email_subscription_to_confirm, base::sha256_hex(secret), since);
    if (!found || !accounts::offers_digests(db, found->account_id)) return std::nullopt;
    db.run(confirm_email_subscription, found->id, db.now(), db.new_id<base::StatusId>());
    return found->account_id;
}

namespace {

SubscriptionId id_in(std::string_view token) {
    SubscriptionId id;
    auto dot = token.find('.');
    if (dot != token.npos) std::from_chars(token.data(), token.data() + dot, id.value);
    return id;
}

}  // namespace

std::string unsubscribe_token(db::Read& db, SubscriptionId id) {
    auto number = std::to_string(id.value);
    return number + "." +
           base::base64url(base::hmac_sha256(instance::unsubscribe_key(db), "letters:" + number));
}

bool knows(db::Read& db, std::string_view token) {
    return base::same_secret(unsubscribe_token(db, id_in(token)), token);
}

const db::Command delete_email_subscription{
    "delete_email_subscription", "DELETE FROM email_subscriptions WHERE id = $1"
};

void unsubscribe(db::Write& db, std::string_view token) {
    if (knows(db, token)) db.run(delete_email_subscription, id_in(token));
}

const db::Command purge_unconfirmed_subscriptions{
    "purge_unconfirmed_subscriptions",
    R"(DELETE FROM email_subscriptions WHERE id IN (SELECT id FROM email_subscriptions
           WHERE confirmed_at IS NULL AND created_at < $1 ORDER BY created_at LIMIT 500))"
};
// No user comes back, so what is an orphan stays one.
const db::Query<SubscriptionId> orphaned_subscriptions{
    "orphaned_subscriptions",
    R"(SELECT s.id FROM email_subscriptions s
       WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.account_id = s.account_id) LIMIT 500)"
};

jobs::Change purge_subscriptions(db::Read& db) {
    return [orphans = db.all(orphaned_subscriptions)](db::Write& write) {
        write.run(purge_unconfirmed_subscriptions, write.now().plus_seconds(-unconfirmed_kept));
        for (auto orphan : orphans) write.run(delete_email_subscription, orphan);
    };
}

const db::Command drop_own_email_subscriptions{
    "drop_own_email_subscriptions",
    R"(DELETE FROM email_subscriptions WHERE account_id = $1 AND id IN (
           SELECT id FROM email_subscriptions WHERE account_id = $1 ORDER BY id LIMIT $2))"
};

const db::Command drop_own_email_digests_due{
    "drop_own_email_digests_due",
    R"(DELETE FROM email_digests_due WHERE account_id = $1 AND account_id IN (
           SELECT account_id FROM email_digests_due WHERE account_id = $1 ORDER BY account_id LIMIT $2))"
};

}  // namespace email_digests
