// SPDX-License-Identifier: AGPL-3.0-or-later
// The remote author of a post rejects an interaction from this server: it is undone here, too.
#pragma once
#include "social/statuses/core/status.hpp"

namespace statuses {

// Event. `status`: the post, or the reply to it that was detached.
struct InteractionRejected {
    AccountId account, author;
    StatusId status;
};
DESCRIBE(InteractionRejected, account, author, status)

// A favourite by a local account, by the stored id of its Like.
std::optional<base::FavouriteId> favourite_named(db::Read&, std::string_view uri);

// Each returns false if it is not an interaction of a local account with a post of this author.
bool reject_favourite(db::Write&, AccountId author, base::FavouriteId);
// A boost is undone. A reply remains its author's post, but leaves the thread.
bool reject_boost(db::Write&, AccountId author, StatusId);
bool reject_reply(db::Write&, AccountId author, StatusId);

}  // namespace statuses
