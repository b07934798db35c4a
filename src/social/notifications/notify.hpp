// SPDX-License-Identifier: AGPL-3.0-or-later
// Telling somebody of something: the one entrance for all types, and the events that lead there. Whether a
// notification is stored, held back or dropped is decided here only.
#pragma once
#include "social/accounts/users/user.hpp"
#include "social/collections/collection.hpp"
#include "social/notifications/attachment.hpp"
#include "social/notifications/notification.hpp"
#include "social/relationships/relationship.hpp"
#include "social/statuses/interactions/rejection.hpp"
#include "social/statuses/polls/poll.hpp"

namespace notifications {

// Something happened that concerns the recipient. `from` did it; types without an actor have the recipient there.
// `about` is the id of the report, event, strike or collection, or the year, that the type is about.
struct Notice {
    AccountId recipient, from;
    Type type = Type::mention;
    StatusId status;
    std::int64_t about = 0;
};
// Decides whether the recipient is to be told (behaviours 11.14) and stores it, once. Of edits and changes only the
// newest notification stays.
void tell(db::Write&, const Notice&);
void withdraw(db::Write&, const Notice&);

// All that somebody was told by one sender, and what the sender was permitted.
void forget_from(db::Write&, AccountId, AccountId from);

// Somebody was told of a direct status, and it was not held back.
struct DirectReceived {
    AccountId account;
    StatusId status;
};
DESCRIBE(DirectReceived, account, status)

// More followers asked for a notice of this author's statuses: those with a greater follow id.
struct SubscribersLeft {
    StatusId status;
    AccountId author;
    std::int64_t after = 0;
};
DESCRIBE(SubscribersLeft, status, author, after)

// More who boosted an edited status, or voted in a poll that ended: those with a greater id.
struct RebloggersLeft {
    StatusId status;
    AccountId author, after;
    base::Time edited_at;
};
DESCRIBE(RebloggersLeft, status, author, after, edited_at)
struct VotersLeft {
    StatusId poll;
    AccountId author, after;
};
DESCRIBE(VotersLeft, poll, author, after)

// A deleted status about which notifications are left.
struct AboutLeft {
    StatusId status;
};
DESCRIBE(AboutLeft, status)

// Reactions
void tell_edited(db::Write&, const statuses::Edited&);
void tell_rebloggers_left(db::Write&, const RebloggersLeft&);
void tell_poll_ended(db::Write&, const statuses::PollEnded&);
void tell_voters_left(db::Write&, const VotersLeft&);
void tell_mentioned(db::Write&, const statuses::Published&);
void tell_subscribers(db::Write&, const statuses::Published&);
void tell_subscribers_left(db::Write&, const SubscribersLeft&);
void tell_reblogged(db::Write&, const statuses::Reblogged&);
void untell_reblogged(db::Write&, const statuses::Unreblogged&);
void tell_favourited(db::Write&, const statuses::Favourited&);
void untell_favourited(db::Write&, const statuses::Unfavourited&);
void tell_rejected(db::Write&, const statuses::InteractionRejected&);
void tell_followed(db::Write&, const relationships::Followed&);
void untell_followed(db::Write&, const relationships::Unfollowed&);
void tell_requested(db::Write&, const relationships::FollowRequested&);
void untell_requested(db::Write&, const relationships::FollowRequestAnswered&);
void tell_staff(db::Write&, const accounts::Activated&);
void forget_status(db::Write&, const statuses::Deleted&);
void forget_status_left(db::Write&, const AboutLeft&);
void forget_blocked(db::Write&, const relationships::Blocked&);
void forget_muted(db::Write&, const relationships::Muted&);

// Who is told of collections.

// Reactions. A collection holds few enough accounts to tell all of them at once.
void tell_added_to_collection(db::Write&, const collections::AddedToCollection&);
void tell_collection_changed(db::Write&, const collections::CollectionChanged&);
void forget_collection(db::Write&, const collections::CollectionDeleted&);

JsonById render_collections(db::Read&, const statuses::Audience&, const std::vector<std::int64_t>& ids);

}  // namespace notifications
