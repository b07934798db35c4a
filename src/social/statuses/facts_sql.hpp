// SPDX-License-Identifier: AGPL-3.0-or-later
// The columns of statuses::FactsRow for statements of other folders that meet statuses on their way (a feed joins its
// entries to them). `s` is the status, `r` what it boosts. Bare columns, because on SQLite every COALESCE costs.
#pragma once

#define STATUS_FACTS                                                                          \
    "s.id, s.version, s.account_id, a.version AS account_version, s.visibility, "             \
    "s.in_reply_to_account_id, s.reblog_of_id, a.suspended_at, r.version AS reblog_version, " \
    "r.account_id AS reblog_account_id, r.visibility AS reblog_visibility, "                  \
    "ra.version AS reblog_account_version, ra.suspended_at AS reblog_suspended_at, "          \
    "s.conversation_id, s.local_only "

#define STATUS_FACTS_JOINS                                                    \
    "JOIN accounts a ON a.id = s.account_id "                                 \
    "LEFT JOIN statuses r ON r.id = s.reblog_of_id AND r.deleted_at IS NULL " \
    "LEFT JOIN accounts ra ON ra.id = r.account_id "
