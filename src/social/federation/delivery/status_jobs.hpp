// SPDX-License-Identifier: AGPL-3.0-or-later
// Statuses of ours on their way to other servers: reactions to what happens to them. What is said is written by
// statuses/documents/note_ap.hpp, to whom by reach.hpp.
#pragma once
#include "social/federation/delivery/reach.hpp"
#include "social/statuses/interactions/pin.hpp"
#include "social/statuses/interactions/rejection.hpp"
#include "social/statuses/polls/poll.hpp"
#include "social/statuses/quotes/quote.hpp"

namespace federation {

BOOST_DEFINE_ENUM_CLASS(Deed, create, announce, update, delete_, undo_announce, add, remove)

// Something is to be told of a status. The activity has its number from the start: they are sent in the order of what
// happened, not in that of the jobs.
struct Told {
    Deed deed = Deed::create;
    StatusId status;
    ActivityId activity;
};
DESCRIBE(Told, deed, status, activity)

void tell_published(db::Write&, const statuses::Published&);
void tell_edited(db::Write&, const statuses::Edited&);
void tell_deleted(db::Write&, const statuses::Deleted&);
void tell_rejected(db::Write&, const statuses::InteractionRejected&);
void tell_pinned(db::Write&, const statuses::Pinned&);
void tell_unpinned(db::Write&, const statuses::Unpinned&);
jobs::Change write_told(db::Read&, const Told&);

// To the author of another server alone.
void tell_favourited(db::Write&, const statuses::Favourited&);
void tell_unfavourited(db::Write&, const statuses::Unfavourited&);
void tell_voted(db::Write&, const statuses::Voted&);  // and of a poll of ours everybody who has it, a little later
void tell_poll_ended(db::Write&, const statuses::PollEnded&);

}  // namespace federation
