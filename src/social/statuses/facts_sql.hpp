// SPDX-License-Identifier: AGPL-3.0-or-later
// The columns of statuses::Facts for statements of other folders that can find them on their way (a feed joins its
// entries to them). `s` is the status; who is mentioned is asked afterwards (visibility.hpp: note_mentions).
#pragma once

#define STATUS_FACTS                                                \
    "s.id, s.version, s.account_id, a.version AS account_version, " \
    "s.visibility, s.in_reply_to_account_id, "                      \
    "COALESCE(r.id, s.id) AS original_id, "                         \
    "COALESCE(r.version, s.version) AS original_version, "          \
    "COALESCE(r.account_id, s.account_id) AS original_account_id, " \
    "COALESCE(ra.version, a.version) AS original_account_version, " \
    "COALESCE(r.visibility, s.visibility) AS original_visibility, " \
    "(a.suspended_at IS NOT NULL OR ra.suspended_at IS NOT NULL "   \
    "OR (s.reblog_of_id IS NOT NULL AND r.id IS NULL)) AS gone, "   \
    "FALSE AS mentioned "

#define STATUS_FACTS_JOINS                                                    \
    "JOIN accounts a ON a.id = s.account_id "                                 \
    "LEFT JOIN statuses r ON r.id = s.reblog_of_id AND r.deleted_at IS NULL " \
    "LEFT JOIN accounts ra ON ra.id = r.account_id "
