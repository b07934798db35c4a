// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/policy.hpp"

#include <algorithm>

namespace notifications {

const db::Query<Policy> notification_policy{
    "notification_policy",
    R"(SELECT for_not_following, for_not_followers, for_new_accounts, for_private_mentions, for_limited_accounts, for_bots
       FROM notification_policies WHERE account_id = $1)"
};

Policy policy(db::Read& db, AccountId account) {
    return db.maybe(notification_policy, account).value_or(Policy{});
}

const db::Command put_notification_policy{
    "put_notification_policy",
    R"(INSERT INTO notification_policies (account_id, for_not_following, for_not_followers, for_new_accounts,
           for_private_mentions, for_limited_accounts, for_bots)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (account_id) DO UPDATE SET
           for_not_following = excluded.for_not_following, for_not_followers = excluded.for_not_followers,
           for_new_accounts = excluded.for_new_accounts, for_private_mentions = excluded.for_private_mentions,
           for_limited_accounts = excluded.for_limited_accounts, for_bots = excluded.for_bots)"
};

void set_policy(db::Write& db, AccountId account, const Policy& p) {
    db.run(
        put_notification_policy,
        account,
        p.for_not_following,
        p.for_not_followers,
        p.for_new_accounts,
        p.for_private_mentions,
        p.for_limited_accounts,
        p.for_bots
    );
}

const db::Query<FilteredSummary> filtered_notifications{
    "filtered_notifications",
    R"(SELECT count(*) AS requests, CAST(COALESCE(sum(r.notifications_count), 0) AS BIGINT) AS notifications
       FROM notification_requests r JOIN accounts a ON a.id = r.from_account_id
       WHERE r.account_id = $1 AND a.suspended_at IS NULL)"
};

FilteredSummary filtered_summary(db::Read& db, AccountId account) {
    constexpr std::int64_t most = 100;
    auto found = db.one(filtered_notifications, account);
    return {std::min(found.requests, most), std::min(found.notifications, most)};
}

const db::Command drop_own_notification_policies{
    "drop_own_notification_policies",
    R"(DELETE FROM notification_policies WHERE account_id = $1 AND account_id IN (
           SELECT account_id FROM notification_policies WHERE account_id = $1 ORDER BY account_id LIMIT $2))"
};

}  // namespace notifications
