// SPDX-License-Identifier: AGPL-3.0-or-later
// Favourites from other servers. Some let an account react to a post with several emojis, each in a Like of
// its own; here they form one favourite, which is removed with the last of them.
#pragma once
#include "social/statuses/core/status.hpp"

namespace statuses {

struct Liking {
    AccountId account;
    StatusId status;
    std::string uri;        // of the Like; an Undo may contain nothing else
    bool reaction = false;  // with an emoji; at most one without an emoji is kept
};

void like(db::Write&, const Liking&);
// Returns false if there was none.
bool withdraw_remote_favourite(db::Write&, const Liking&);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_additional_reactions;

}  // namespace statuses
