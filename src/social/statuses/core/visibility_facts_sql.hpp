// SPDX-License-Identifier: AGPL-3.0-or-later
// The columns of statuses::VisibilityFactsRow for statements of other folders that meet statuses on their way (a feed
// joins its entries to them). `s` is the status.
#pragma once

#define VISIBILITY_FACTS                                                          \
    "s.id, s.version, s.account_id, a.version AS account_version, s.visibility, " \
    "s.in_reply_to_account_id, s.reblog_of_id, a.suspended_at, s.conversation_id, s.local_only "

#define VISIBILITY_FACTS_JOINS "JOIN accounts a ON a.id = s.account_id "
