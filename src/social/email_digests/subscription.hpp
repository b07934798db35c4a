// SPDX-License-Identifier: AGPL-3.0-or-later
// Digests of statuses by mail for people without an account: the subscriptions and the mails. Nobody can learn here who
// subscribed to whom.
#pragma once
#include "base/ask.hpp"
#include "jobs/reactions.hpp"
#include "social/statuses/core/status.hpp"

namespace email_digests {

using base::AccountId;
using base::Time;
using SubscriptionId = base::Id<struct EmailSubscriptionTag>;

// A mail that asks for confirmation is to be sent.
struct SubscriptionWanted {
    SubscriptionId id;
    std::string secret;
};
DESCRIBE(SubscriptionWanted, id, secret)
// The subscribers of the account behind this subscription are to be sent what is new.
struct DigestsDue {
    AccountId account;
    SubscriptionId after;
};
DESCRIBE(DigestsDue, account, after)
struct DigestDue {
    SubscriptionId id;
};
DESCRIBE(DigestDue, id)

// Does the same whether or not the address has subscribed. Throws NotFound where there is nothing to subscribe to,
// and Invalid.
void subscribe(db::Write&, AccountId, std::string_view email);
// Whose statuses the confirmed address gets from now on; nothing when the secret is unknown or too old.
std::optional<AccountId> confirm(db::Write&, std::string_view secret);

// What ends a subscription without a login: it stands in every mail.
std::string unsubscribe_token(db::Read&, SubscriptionId);
bool knows(db::Read&, std::string_view unsubscribe_token);
void unsubscribe(db::Write&, std::string_view unsubscribe_token);  // does nothing when it is not one of ours

// Reactions
void mail_subscription(const base::Ask&, db::Read&, const SubscriptionWanted&);
void want_digests(db::Write&, const statuses::Published&);
void begin_digests(db::Write&, const DigestsDue&);
jobs::Change mail_digest(const base::Ask&, db::Read&, const DigestDue&);

// By the clock
void announce_digests(db::Write&);
jobs::Change purge_subscriptions(db::Read&);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_email_subscriptions;
extern const db::Command drop_own_email_digests_due;

}  // namespace email_digests
