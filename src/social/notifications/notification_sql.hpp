// SPDX-License-Identifier: AGPL-3.0-or-later
// The parts that the statements of the ungrouped and of the grouped list share, so that both show the same ones.
#pragma once

#define NOTIFICATION_COLUMNS                                                                            \
    "SELECT n.id, n.from_account_id, 0 AS from_version, n.type, n.status_id, n.about_id, n.group_key, " \
    "n.filtered, n.created_at FROM notifications n "

// What $1 has cleared goes little by little (clearing.cpp), and is shown no more.
#define CLEARED "SELECT up_to FROM notification_clearings WHERE account_id = $1"
#define NOT_CLEARED(N) "AND " N ".id > COALESCE((" CLEARED "), 0) "

// The plus keeps SQLite from gathering by type and sorting, whatever it believes of their number.
// $1 recipient, $2 and $3 bounds, $4 types, $5 whether the filtered ones count.
#define NOTIFICATIONS_IN_RANGE                                                          \
    NOTIFICATION_COLUMNS                                                                \
    "WHERE n.account_id = $1 AND n.id < $3 "                                            \
    "AND n.id > (SELECT max(x) FROM (SELECT CAST($2 AS BIGINT) AS x UNION ALL " CLEARED \
    ") y) "                                                                             \
    "AND (n.filtered = FALSE OR $5 = TRUE) "
#define OF_TYPES_SQLITE "AND +n.type IN (SELECT value FROM json_each($4)) "
#define OF_TYPES_POSTGRES "AND n.type = ANY($4::text[]) "

// $1 recipient, $2 types, $3 limit. markers belongs to timelines.
#define UNREAD_NOTIFICATIONS                                                                    \
    "FROM notifications n JOIN accounts a ON a.id = n.from_account_id "                         \
    "WHERE n.account_id = $1 AND n.filtered = FALSE AND a.suspended_at IS NULL "                \
    "AND n.id > (SELECT max(x) FROM (SELECT 0 AS x UNION ALL SELECT last_read_id FROM markers " \
    "WHERE account_id = $1 AND timeline = 'notifications' UNION ALL " CLEARED ") y) "
#define UNREAD_TYPES_SQLITE "AND +n.type IN (SELECT value FROM json_each($2)) "
#define UNREAD_TYPES_POSTGRES "AND n.type = ANY($2::text[]) "
