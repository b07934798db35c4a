// SPDX-License-Identifier: AGPL-3.0-or-later
// The author of a post of another server refuses what somebody here did with it: it ends here, too.
#pragma once
#include "social/statuses/core/status.hpp"

namespace statuses {

// Event. `status`: the post, or what answered it, which is no answer any more.
struct InteractionRejected {
    AccountId account, author;
    StatusId status;
};
DESCRIBE(InteractionRejected, account, author, status)

// A favourite of somebody here, by the stored id of its Like.
std::optional<base::FavouriteId> favourite_named(db::Read&, std::string_view uri);

// Each is false when it is not what somebody here did with a post of this author.
bool reject_favourite(db::Write&, AccountId author, base::FavouriteId);
// A boost is undone. An answer stays with who wrote it, out of the thread.
bool reject_boost(db::Write&, AccountId author, StatusId);
bool reject_reply(db::Write&, AccountId author, StatusId);

}  // namespace statuses
