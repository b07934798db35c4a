// SPDX-License-Identifier: AGPL-3.0-or-later
// Reject of a Like, an Announce or an answer that was sent from here, by its id or embedded, or of a request to make one
// (GoToSocial's LikeRequest and its like), whose instrument it is.
#pragma once
#include "ap/incoming.hpp"
#include "social/statuses/core/status.hpp"

namespace statuses {

struct Rejection {
    AccountId author;
    base::FavouriteId favourite;  // else a boost or an answer
    StatusId status;
};
std::optional<Rejection> rejected_interaction(db::Read&, const ap::Incoming&);
bool take_rejection(db::Write&, const Rejection&);

}  // namespace statuses
