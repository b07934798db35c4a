// SPDX-License-Identifier: AGPL-3.0-or-later
// Likes, reactions, votes, pins and undone boosts from other servers: turns activities into the arguments of
// the rules. A preparing function returns nullopt if there is nothing to do here; an acting one returns
// whether it found its target.
#pragma once
#include "ap/incoming.hpp"
#include "social/statuses/core/status.hpp"
#include "social/statuses/interactions/remote_favourite.hpp"

namespace statuses {

std::optional<Liking> liked_status(db::Read&, const ap::Incoming&);
bool take_like(db::Write&, const Liking&);
std::optional<Liking> unliked_status(db::Read&, const ap::Incoming&);
bool take_undo_like(db::Write&, const Liking&);

std::optional<Liking> unboosted_status(db::Read&, const ap::Incoming&);
bool take_undo_announce(db::Write&, const Liking&);

struct RemoteVote {
    AccountId account;
    StatusId poll;
    std::int64_t choice = 0;
};
std::optional<RemoteVote> vote_on_status(db::Read&, const ap::Incoming&);
bool take_vote(db::Write&, const RemoteVote&);

// Reject of a Like, an Announce or a reply that was sent from here, referenced by id or embedded; or of a
// request for one (such as GoToSocial's LikeRequest), whose instrument it is.
struct Rejection {
    AccountId author;
    base::FavouriteId favourite;  // otherwise a boost or a reply
    StatusId status;
};
std::optional<Rejection> rejected_interaction(db::Read&, const ap::Incoming&);
bool take_rejection(db::Write&, const Rejection&);

}  // namespace statuses
