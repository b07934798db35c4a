// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/notification.hpp"

#include "social/notifications/request.hpp"
#include "social/notifications/streams.hpp"

namespace notifications {

namespace {

constexpr int chunk = 500;
constexpr std::int64_t last = INT64_MAX;

}  // namespace

const db::Command clear_notifications{
    "clear_notifications",
    R"(DELETE FROM notifications WHERE account_id = $1 AND id IN (
           SELECT id FROM notifications WHERE account_id = $1 AND id <= $2 ORDER BY id LIMIT $3))"
};
const db::Query<std::int64_t> newest_notification{
    "newest_notification", "SELECT id FROM notifications WHERE account_id = $1 ORDER BY id DESC LIMIT 1"
};
const db::Command put_clearing{
    "put_clearing",
    R"(INSERT INTO notification_clearings (account_id, up_to) VALUES ($1, $2)
       ON CONFLICT (account_id) DO UPDATE SET up_to = excluded.up_to)"
};
const db::Command end_clearing{"end_clearing", "DELETE FROM notification_clearings WHERE account_id = $1"};

void clear(db::Write& db, AccountId account) {
    forget_requests(db, account);
    if (db.run(clear_notifications, account, last, chunk) < chunk) return;
    auto newest = db.maybe(newest_notification, account);
    if (!newest) return;
    db.run(put_clearing, account, *newest);
    db.emit(ClearingContinued{account});
}

void continue_clearing(db::Write& db, const ClearingContinued& left) {
    auto up_to = db.maybe(cleared_up_to, left.account);
    if (!up_to) return;
    if (db.run(clear_notifications, left.account, *up_to, chunk) == chunk) db.emit(left);
    else db.run(end_clearing, left.account);
}

}  // namespace notifications
