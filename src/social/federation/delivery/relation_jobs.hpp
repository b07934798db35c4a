// SPDX-License-Identifier: AGPL-3.0-or-later
// Follows and blocks between our people and those of other servers: reactions that tell the other side, and nobody else.
#pragma once
#include "social/federation/delivery/delivery.hpp"
#include "social/relationships/relationship.hpp"

namespace federation {

void tell_follow_requested(db::Write&, const relationships::FollowRequested&);
void tell_request_answered(db::Write&, const relationships::FollowRequestAnswered&);
void tell_followed(db::Write&, const relationships::Followed&);
void tell_unfollowed(db::Write&, const relationships::Unfollowed&);
void tell_refused(db::Write&, const relationships::FollowRefused&);
void tell_repeated(db::Write&, const relationships::FollowRepeated&);
void tell_disowned(db::Write&, const relationships::FollowDisowned&);
void tell_blocked(db::Write&, const relationships::Blocked&);
void tell_unblocked(db::Write&, const relationships::Unblocked&);

}  // namespace federation
