// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/request.hpp"

#include "db/lock.hpp"
#include "social/notifications/notify.hpp"

#include <algorithm>

namespace notifications {

#define REQUESTS                                                                    \
    "SELECT r.id, r.from_account_id, a.version AS from_version, r.last_status_id, " \
    "r.notifications_count, r.created_at, r.updated_at "                            \
    "FROM notification_requests r JOIN accounts a ON a.id = r.from_account_id "     \
    "WHERE r.account_id = $1 "
#define REQUESTS_IN_RANGE REQUESTS "AND r.id > $2 AND r.id < $3 AND a.suspended_at IS NULL ORDER BY r.id "

const db::Query<Request> requests_down{"requests_down", REQUESTS_IN_RANGE "DESC LIMIT $4"};
const db::Query<Request> requests_up{"requests_up", REQUESTS_IN_RANGE "LIMIT $4"};

std::vector<Request> requests(db::Read& db, AccountId account, const base::Range& range) {
    auto found =
        db.all(range.ascending ? requests_up : requests_down, account, range.above, range.below, range.limit);
    if (range.ascending) std::ranges::reverse(found);
    return found;
}

const db::Query<Request> request_by_id{"request_by_id", REQUESTS "AND r.id = $2"};

Request request(db::Read& db, AccountId account, RequestId id) { return db.one(request_by_id, account, id); }

const db::Query<bool> anything_merging{
    "anything_merging",
    "SELECT EXISTS (SELECT 1 FROM notification_permissions WHERE account_id = $1 AND merging = TRUE)"
};

bool merged(db::Read& db, AccountId account) { return !db.one(anything_merging, account); }

const db::Command delete_request{
    "delete_request", "DELETE FROM notification_requests WHERE account_id = $1 AND from_account_id = $2"
};
const db::Command permit{
    "permit",
    R"(INSERT INTO notification_permissions (account_id, from_account_id, merging) VALUES ($1, $2, TRUE)
       ON CONFLICT (account_id, from_account_id) DO UPDATE SET merging = TRUE)"
};

void accept(db::Write& db, AccountId account, const Request& request) {
    db.run(permit, account, request.from_account_id);
    db.run(delete_request, account, request.from_account_id);
    db.emit(RequestAccepted{account, request.from_account_id});
}

const db::Query<std::int64_t> last_filtered{
    "last_filtered",
    R"(SELECT COALESCE(max(id), 0) FROM notifications WHERE account_id = $1 AND from_account_id = $2 AND filtered = TRUE)"
};

void dismiss(db::Write& db, AccountId account, const Request& request) {
    auto from = request.from_account_id;
    db.run(delete_request, account, from);
    remove_filtered(db, {account, from, db.one(last_filtered, account, from)});
}

const db::Query<Request> requests_by_id{"requests_by_id", REQUESTS "AND r.id IN LIST($2)"};

void accept_all(db::Write& db, AccountId account, const std::vector<RequestId>& ids) {
    for (const auto& one : db.all(requests_by_id, account, ids)) accept(db, account, one);
}

void dismiss_all(db::Write& db, AccountId account, const std::vector<RequestId>& ids) {
    for (const auto& one : db.all(requests_by_id, account, ids)) dismiss(db, account, one);
}

namespace {

struct Sum {
    StatusId last_status;
    std::int64_t count = 0;
};
DESCRIBE(Sum, last_status, count)

}  // namespace

// Types other than mentions and quotes are filtered, too, but create no request.
const db::Query<Sum> filtered_by_sender{
    "filtered_by_sender",
    R"(SELECT (SELECT status_id FROM notifications WHERE account_id = $1 AND from_account_id = $2 AND filtered = TRUE
                 AND type IN ('mention', 'quote') ORDER BY id DESC LIMIT 1) AS last_status,
              (SELECT count(*) FROM (SELECT 1 FROM notifications WHERE account_id = $1 AND from_account_id = $2
                 AND filtered = TRUE LIMIT 100) x) AS count)"
};
const db::Command put_request{
    "put_request",
    R"(INSERT INTO notification_requests (id, account_id, from_account_id, last_status_id, notifications_count,
           created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $6)
       ON CONFLICT (account_id, from_account_id) DO UPDATE SET last_status_id = excluded.last_status_id,
           notifications_count = excluded.notifications_count, updated_at = excluded.updated_at)"
};

void refresh_request(db::Write& db, AccountId account, AccountId from) {
    db.lock({db::alone("request", account, from)});  // of two concurrent updates, the second counts both
    auto sum = db.one(filtered_by_sender, account, from);
    if (!sum.last_status) {
        db.run(delete_request, account, from);
        return;
    }
    db.run(put_request, db.new_id<RequestId>(), account, from, sum.last_status, sum.count, db.now());
}

const db::Command delete_requests{
    "delete_requests", "DELETE FROM notification_requests WHERE account_id = $1"
};

void forget_requests(db::Write& db, AccountId account) { db.run(delete_requests, account); }

const db::Command delete_permission{
    "delete_permission", "DELETE FROM notification_permissions WHERE account_id = $1 AND from_account_id = $2"
};

void forget_sender(db::Write& db, AccountId account, AccountId from) {
    db.run(delete_request, account, from);
    db.run(delete_permission, account, from);
}

namespace {

struct FilteredRow {
    base::NotificationId id;
    Type type = Type::mention;
    StatusId status;
    bool direct = false;
};
DESCRIBE(FilteredRow, id, type, status, direct)

}  // namespace

const db::Query<FilteredRow> some_filtered{
    "some_filtered",
    R"(SELECT n.id, n.type, n.status_id AS status, COALESCE(s.visibility = 'direct', FALSE) AS direct
       FROM notifications n LEFT JOIN statuses s ON s.id = n.status_id
       WHERE n.account_id = $1 AND n.from_account_id = $2 AND n.filtered = TRUE ORDER BY n.id LIMIT $3)"
};
const db::Command unfilter{"unfilter", "UPDATE notifications SET filtered = FALSE WHERE id = $1"};
const db::Command end_merging{
    "end_merging",
    "UPDATE notification_permissions SET merging = FALSE WHERE account_id = $1 AND from_account_id = $2"
};

void release_filtered(db::Write& db, const RequestAccepted& accepted) {
    constexpr std::size_t chunk = 200;
    auto found = db.all(some_filtered, accepted.account, accepted.from, static_cast<int>(chunk));
    for (const auto& filtered : found) {
        db.run(unfilter, filtered.id);
        if (filtered.type == Type::mention && filtered.direct)
            db.emit(DirectReceived{accepted.account, filtered.status});
    }
    if (found.size() == chunk) return db.emit(accepted);
    db.run(end_merging, accepted.account, accepted.from);
    if (merged(db, accepted.account))
        db.announce({"user:" + std::to_string(accepted.account.value), "notifications_merged", "1"});
}

const db::Command delete_some_filtered{
    "delete_some_filtered",
    R"(DELETE FROM notifications WHERE id IN (
           SELECT id FROM notifications WHERE account_id = $1 AND from_account_id = $2 AND filtered = TRUE AND id <= $3
           LIMIT 500))"
};

void remove_filtered(db::Write& db, const RequestDismissed& dismissed) {
    if (db.run(delete_some_filtered, dismissed.account, dismissed.from, dismissed.up_to) == 500)
        db.emit(dismissed);
}

const db::Command drop_own_notification_requests{
    "drop_own_notification_requests",
    R"(DELETE FROM notification_requests WHERE account_id = $1 AND id IN (
           SELECT id FROM notification_requests WHERE account_id = $1 ORDER BY id LIMIT $2))"
};

const db::Command drop_own_notification_permissions{
    "drop_own_notification_permissions",
    R"(DELETE FROM notification_permissions WHERE account_id = $1 AND from_account_id IN (
           SELECT from_account_id FROM notification_permissions WHERE account_id = $1 ORDER BY from_account_id LIMIT $2))"
};

}  // namespace notifications
