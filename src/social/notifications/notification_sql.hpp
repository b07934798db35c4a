// SPDX-License-Identifier: AGPL-3.0-or-later
// Parts that the statements of the ungrouped and the grouped list share, so that both select the same
// notifications.
#pragma once

#define NOTIFICATION_COLUMNS                                                                            \
    "SELECT n.id, n.from_account_id, 0 AS from_version, n.type, n.status_id, n.about_id, n.group_key, " \
    "n.filtered, n.created_at FROM notifications n "

// What $1 has cleared goes little by little (clearing.cpp), and is shown no more.
#define CLEARED "SELECT up_to FROM notification_clearings WHERE account_id = $1"
#define NOT_CLEARED(N) "AND " N ".id > COALESCE((" CLEARED "), 0) "

// The plus prevents SQLite from collecting rows by type and sorting them, whatever its statistics say.
// $1 recipient, $2 and $3 bounds, $4 types, $5 whether filtered ones are included.
#define NOTIFICATIONS_IN_RANGE                                                          \
    NOTIFICATION_COLUMNS                                                                \
    "WHERE n.account_id = $1 AND n.id < $3 "                                            \
    "AND n.id > (SELECT max(x) FROM (SELECT CAST($2 AS BIGINT) AS x UNION ALL " CLEARED \
    ") y) "                                                                             \
    "AND (n.filtered = FALSE OR $5 = TRUE) "
#define OF_TYPES_SQLITE "AND +n.type IN (SELECT value FROM json_each($4)) "
#define OF_TYPES_POSTGRES "AND n.type = ANY($4::text[]) "
