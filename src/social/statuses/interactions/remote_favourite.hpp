// SPDX-License-Identifier: AGPL-3.0-or-later
// Favourites from other servers. Some let an account react to a post with several emojis, each a Like of its own; here
// they are one favourite, which ends with the last of them.
#pragma once
#include "social/statuses/core/status.hpp"

namespace statuses {

struct Liking {
    AccountId account;
    StatusId status;
    std::string uri;        // of the Like; while it is undone it may be all there is
    bool reaction = false;  // with an emoji; of those without, one is enough
};

void like(db::Write&, const Liking&);
// False: there was none.
bool withdraw_remote_favourite(db::Write&, const Liking&);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_additional_reactions;

}  // namespace statuses
