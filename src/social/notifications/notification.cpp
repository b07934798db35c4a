// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/notification.hpp"

#include <algorithm>
#include <unordered_map>

namespace notifications {

// $4 types, $5 excluded types (both may be empty), $6 one sender or 0.
#define NOTIFICATIONS                                                                               \
    "SELECT n.id, n.from_account_id, a.version AS from_version, n.type, n.status_id, n.group_key, " \
    "n.created_at "                                                                                 \
    "FROM notifications n JOIN accounts a ON a.id = n.from_account_id "                             \
    "WHERE n.account_id = $1 AND n.id > $2 AND n.id < $3 AND n.filtered = FALSE AND a.suspended_at IS NULL "
#define SENDER_6 "AND (CAST($6 AS BIGINT) = 0 OR n.from_account_id = $6) "
#define TYPES_SQLITE                                                  \
    "AND ($4 = '[]' OR n.type IN (SELECT value FROM json_each($4))) " \
    "AND n.type NOT IN (SELECT value FROM json_each($5)) " SENDER_6
#define TYPES_POSTGRES \
    "AND (cardinality($4::text[]) = 0 OR n.type = ANY($4::text[])) AND n.type <> ALL($5::text[]) " SENDER_6

const db::Query<Notification> notifications_down{
    "notifications_down",
    NOTIFICATIONS TYPES_SQLITE "ORDER BY n.id DESC LIMIT $7",
    NOTIFICATIONS TYPES_POSTGRES "ORDER BY n.id DESC LIMIT $7"
};
const db::Query<Notification> notifications_up{
    "notifications_up",
    NOTIFICATIONS TYPES_SQLITE "ORDER BY n.id LIMIT $7",
    NOTIFICATIONS TYPES_POSTGRES "ORDER BY n.id LIMIT $7"
};

namespace {

// Keeps what the recipient may still see.
std::vector<Notification> kept(
    db::Read& db, const statuses::Audience& recipient, std::vector<Notification> found
) {
    std::vector<StatusId> ids;
    for (const auto& n : found)
        if (n.status_id) ids.push_back(n.status_id);
    std::unordered_map<StatusId, statuses::Facts> facts;
    for (const auto& f : statuses::facts(db, recipient, ids)) facts.emplace(f.id, f);
    std::erase_if(found, [&](const Notification& n) {
        if (recipient.circle->blocking.contains(n.from_account_id)) return true;
        if (!n.status_id) return false;
        auto f = facts.find(n.status_id);
        return f == facts.end() || !statuses::visible(f->second, recipient);
    });
    return found;
}

}  // namespace

std::vector<Notification> notifications(
    db::Read& db, const statuses::Audience& recipient, const base::Range& range, const Filter& filter
) {
    std::vector<Notification> page;
    auto wanted = static_cast<std::size_t>(range.limit);
    auto batch = range;
    while (page.size() < wanted) {
        const auto& sql = range.ascending ? notifications_up : notifications_down;
        auto found = db.all(
            sql,
            recipient.viewer,
            batch.above,
            batch.below,
            filter.types,
            filter.exclude_types,
            filter.from,
            batch.limit
        );
        bool more = found.size() == static_cast<std::size_t>(batch.limit);
        if (more) (batch.ascending ? batch.above : batch.below) = found.back().id.value;
        for (auto& n : kept(db, recipient, std::move(found)))
            if (page.size() < wanted) page.push_back(std::move(n));
        if (!more) break;
    }
    if (range.ascending) std::ranges::reverse(page);
    return page;
}

const db::Query<Notification> notification_by_id{
    "notification_by_id",
    R"(SELECT n.id, n.from_account_id, a.version AS from_version, n.type, n.status_id, n.group_key, n.created_at
       FROM notifications n JOIN accounts a ON a.id = n.from_account_id WHERE n.account_id = $1 AND n.id = $2)"
};

Notification notification(db::Read& db, const statuses::Audience& recipient, NotificationId id) {
    auto found = kept(db, recipient, {db.one(notification_by_id, recipient.viewer, id)});
    if (found.empty()) throw base::NotFound();
    return found[0];
}

#define UNREAD                                                                                            \
    "SELECT count(*) FROM (SELECT 1 FROM notifications n WHERE n.account_id = $1 AND n.filtered = FALSE " \
    "AND n.id > COALESCE((SELECT last_read_id FROM markers WHERE account_id = $1 "                        \
    "AND timeline = 'notifications'), 0) "

// markers belongs to timelines.
const db::Query<std::int64_t> count_unread{
    "count_unread",
    UNREAD
    "AND ($2 = '[]' OR n.type IN (SELECT value FROM json_each($2))) "
    "AND n.type NOT IN (SELECT value FROM json_each($3)) AND (CAST($4 AS BIGINT) = 0 OR n.from_account_id = "
    "$4) LIMIT $5) x",
    UNREAD
    "AND (cardinality($2::text[]) = 0 OR n.type = ANY($2::text[])) AND n.type <> ALL($3::text[]) "
    "AND (CAST($4 AS BIGINT) = 0 OR n.from_account_id = $4) LIMIT $5) x"
};

std::int64_t unread_count(db::Read& db, AccountId account, std::int64_t limit, const Filter& filter) {
    return db.one(count_unread, account, filter.types, filter.exclude_types, filter.from, limit);
}

const db::Command clear_notifications{
    "clear_notifications", "DELETE FROM notifications WHERE account_id = $1"
};

void clear(db::Write& db, AccountId account) { db.run(clear_notifications, account); }

const db::Command dismiss_notification{
    "dismiss_notification", "DELETE FROM notifications WHERE account_id = $1 AND id = $2"
};

void dismiss(db::Write& db, AccountId account, NotificationId id) {
    if (db.run(dismiss_notification, account, id) == 0) throw base::NotFound();
}

}  // namespace notifications
