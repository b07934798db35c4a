// SPDX-License-Identifier: AGPL-3.0-or-later
// Delivery of local statuses to other servers: reactions to their events. The documents are written by
// statuses/documents/note_ap.hpp, the recipients are determined by delivery_scope.hpp.
#pragma once
#include "jobs/reactions.hpp"
#include "social/collections/remote.hpp"
#include "social/federation/delivery/delivery.hpp"
#include "social/federation/delivery/delivery_scope.hpp"
#include "social/relationships/relationship.hpp"
#include "social/statuses/interactions/pin.hpp"
#include "social/statuses/interactions/rejection.hpp"
#include "social/statuses/interactions/reply_approval.hpp"
#include "social/statuses/polls/poll.hpp"
#include "social/statuses/quote_requests/quote_authorization.hpp"
#include "social/statuses/quotes/quote.hpp"
#include "social/tags/featured_tag.hpp"

namespace federation {

// Event: an activity about a status is to be written. Its id is reserved here, so that activities are sent in
// the order of the events and not in that of the jobs.
struct StatusActivityWanted {
    ActivityKind kind = ActivityKind::create;
    StatusId status;
    ActivityId activity;
};
DESCRIBE(StatusActivityWanted, kind, status, activity)

void deliver_published(db::Write&, const statuses::Published&);
void deliver_edited(db::Write&, const statuses::Edited&);
void deliver_update(db::Write&, StatusId);  // to everybody who has it; does nothing when it is not federated
void deliver_deleted(db::Write&, const statuses::Deleted&);
void deliver_rejected(db::Write&, const statuses::InteractionRejected&);
void deliver_pinned(db::Write&, const statuses::Pinned&);
void deliver_unpinned(db::Write&, const statuses::Unpinned&);
jobs::Change write_status_activity(db::Read&, const StatusActivityWanted&);
// The activity, with an embedded signature when others may forward it.
std::string status_activity(db::Read&, const StatusActivityWanted&, AccountId author, statuses::Visibility);

// Only to the author, on another server.
void deliver_favourited(db::Write&, const statuses::Favourited&);
void deliver_unfavourited(db::Write&, const statuses::Unfavourited&);
void deliver_voted(db::Write&, const statuses::Voted&);  // a local poll: later to all who have it
void deliver_poll_ended(db::Write&, const statuses::PollEnded&);

// Activities about local collections, and the consent of accounts between servers (FEP-7aa9): reactions.
void deliver_collection_made(db::Write&, const collections::CollectionMade&);
void deliver_collection_changed(db::Write&, const collections::CollectionChanged&);
void deliver_collection_deleted(db::Write&, const collections::CollectionDeleted&);
void deliver_item_added(db::Write&, const collections::ItemAdded&);
void deliver_item_removed(db::Write&, const collections::ItemRemoved&);

void ask_to_feature(db::Write&, const collections::FeatureWanted&);
void deliver_feature_answered(db::Write&, const collections::FeatureAnswered&);
jobs::Change deliver_feature_revoked(db::Read&, const collections::LeftCollection&);

// Requests to quote and their answers (FEP-044f): reactions to what quote_authorization.hpp decides.
jobs::Change request_quote_authorization(db::Read&, const statuses::QuoteAuthorizationWanted&);
void deliver_quote_answered(db::Write&, const statuses::QuoteAnswered&);
void deliver_quote_authorized(db::Write&, const statuses::QuoteAuthorized&);
jobs::Change deliver_quote_revoked(db::Read&, const statuses::QuoteRevoked&);

// Approval of replies to statuses that restrict who may reply: reactions to what reply_approval.hpp decides.
void deliver_reply_approved(db::Write&, const statuses::ReplyApproved&);
void deliver_reply_refused(db::Write&, const statuses::ReplyRefused&);
void deliver_reply_authorized(db::Write&, const statuses::ReplyAuthorized&);
jobs::Change deliver_reply_revoked(db::Read&, const statuses::ReplyRevoked&);
void deliver_policy_changed(db::Write&, const statuses::InteractionPolicyChanged&);

// Follows and blocks between local and remote accounts: reactions that notify the other account's server
// only.
void deliver_follow_requested(db::Write&, const relationships::FollowRequested&);
void deliver_request_answered(db::Write&, const relationships::FollowRequestAnswered&);
void deliver_followed(db::Write&, const relationships::Followed&);
void deliver_unfollowed(db::Write&, const relationships::Unfollowed&);
void deliver_refused(db::Write&, const relationships::FollowRefused&);
void deliver_repeated(db::Write&, const relationships::FollowRepeated&);
void deliver_disowned(db::Write&, const relationships::FollowDisowned&);
void deliver_blocked(db::Write&, const relationships::Blocked&);
void deliver_unblocked(db::Write&, const relationships::Unblocked&);

// Hashtags featured on local profiles, delivered to remote followers: reactions.
void deliver_tag_featured(db::Write&, const tags::TagFeatured&);
void deliver_tag_unfeatured(db::Write&, const tags::TagUnfeatured&);

}  // namespace federation
