// SPDX-License-Identifier: AGPL-3.0-or-later
// What a list of an account's statuses may exclude, as numbers in indexes, so that a query reads only what it
// shows. The expressions must match those of the indexes word for word.
#pragma once
#include "base/ids.hpp"

// Who may read a status (Reach). S is the prefix of its columns, like "s.".
#define STATUS_REACH(S)                                                      \
    "(CASE WHEN " S "visibility IN ('public', 'unlisted') THEN CASE WHEN " S \
    "local_only = TRUE THEN 1 "                                              \
    "ELSE 0 END WHEN " S "visibility = 'private' THEN 2 ELSE 3 END)"

// Bits of statuses.relations in SQL, as statuses::Relation has them.
#define STATUS_HAS_MEDIA(S) "(" S "relations & 4) <> 0 "
#define STATUS_QUOTE_BIT "16"
#define STATUS_CARD_BIT "32"

// Reach and form as one number, as in the index statuses_of_account_by_kind: 8 * reach + form.
#define STATUS_KIND(S)                                                                              \
    "(" STATUS_REACH(S) " * 8 + CASE WHEN " S "reblog_of_id IS NOT NULL THEN 4 ELSE CASE WHEN " S   \
                        "in_reply_to_id IS NOT NULL AND (" S "in_reply_to_account_id IS NULL OR " S \
                        "in_reply_to_account_id <> " S                                              \
                        "account_id) THEN 2 ELSE 0 END + CASE WHEN " STATUS_HAS_MEDIA(S             \
                        ) "THEN 1 ELSE 0 END END)"

// For mentions.author_id: the author, if only followers or mentioned people may read the status.
#define AUTHOR_IF_HIDDEN(STATUS) \
    "(SELECT account_id FROM statuses WHERE id = " STATUS " AND visibility NOT IN ('public', 'unlisted'))"

namespace statuses {

enum class Reach : std::int64_t { everybody = 0, this_site = 1, followers = 2, named = 3 };
enum class Form : std::int64_t { plain = 0, media = 1, reply = 2, reply_with_media = 3, boost = 4 };

using Kind = base::Id<struct StatusKindTag>;
constexpr Kind kind_of(Reach reach, Form form) {
    return Kind{static_cast<std::int64_t>(reach) * 8 + static_cast<std::int64_t>(form)};
}

}  // namespace statuses
