// SPDX-License-Identifier: AGPL-3.0-or-later
// Statuses of ours on their way to other servers: reactions to what happens to them. What is said is written by
// statuses/documents/note_ap.hpp, to whom by reach.hpp.
#pragma once
#include "jobs/reactions.hpp"
#include "social/collections/remote.hpp"
#include "social/federation/delivery/delivery.hpp"
#include "social/federation/delivery/reach.hpp"
#include "social/relationships/relationship.hpp"
#include "social/statuses/interactions/pin.hpp"
#include "social/statuses/interactions/rejection.hpp"
#include "social/statuses/polls/poll.hpp"
#include "social/statuses/quote_requests/quote_leave.hpp"
#include "social/statuses/quotes/quote.hpp"
#include "social/tags/featured_tag.hpp"

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

// Collections of ours as other servers learn of them, and the consent of accounts between servers (FEP-7aa9): reactions.
void tell_collection_made(db::Write&, const collections::CollectionMade&);
void tell_collection_changed(db::Write&, const collections::CollectionChanged&);
void tell_collection_deleted(db::Write&, const collections::CollectionDeleted&);
void tell_item_added(db::Write&, const collections::ItemAdded&);
void tell_item_removed(db::Write&, const collections::ItemRemoved&);

void ask_to_feature(db::Write&, const collections::FeatureWanted&);
void tell_feature_answered(db::Write&, const collections::FeatureAnswered&);
jobs::Change tell_feature_revoked(db::Read&, const collections::LeftCollection&);

// Leave to quote on its way to other servers (FEP-044f): reactions to what quote_leave.hpp decides.
jobs::Change ask_leave(db::Read&, const statuses::QuoteLeaveWanted&);
void tell_quote_answered(db::Write&, const statuses::QuoteAnswered&);
void tell_leave_given(db::Write&, const statuses::QuoteLeaveGiven&);
jobs::Change tell_quote_revoked(db::Read&, const statuses::QuoteRevoked&);
void tell_policy_changed(db::Write&, const statuses::QuotePolicyChanged&);

// Follows and blocks between our people and those of other servers: reactions that tell the other side, and nobody else.
void tell_follow_requested(db::Write&, const relationships::FollowRequested&);
void tell_request_answered(db::Write&, const relationships::FollowRequestAnswered&);
void tell_followed(db::Write&, const relationships::Followed&);
void tell_unfollowed(db::Write&, const relationships::Unfollowed&);
void tell_refused(db::Write&, const relationships::FollowRefused&);
void tell_repeated(db::Write&, const relationships::FollowRepeated&);
void tell_disowned(db::Write&, const relationships::FollowDisowned&);
void tell_blocked(db::Write&, const relationships::Blocked&);
void tell_unblocked(db::Write&, const relationships::Unblocked&);

// Hashtags that people here show on their profiles, as their followers elsewhere learn of it: reactions.
void tell_tag_featured(db::Write&, const tags::TagFeatured&);
void tell_tag_unfeatured(db::Write&, const tags::TagUnfeatured&);

}  // namespace federation
