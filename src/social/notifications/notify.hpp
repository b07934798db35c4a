// SPDX-License-Identifier: AGPL-3.0-or-later
// The only entrance for creating notifications of all types, and the events that lead there. It decides
// whether a notification is stored, filtered or dropped.
#pragma once
#include "social/accounts/users/user.hpp"
#include "social/collections/collection.hpp"
#include "social/notifications/attachment.hpp"
#include "social/notifications/notification.hpp"
#include "social/relationships/relationship.hpp"
#include "social/statuses/interactions/rejection.hpp"
#include "social/statuses/polls/poll.hpp"

namespace notifications {

// An event that concerns the recipient. `from` is the actor; types without an actor have the recipient there.
// `about` is the id of the report, event, strike or collection, or the year, that the type refers to.
struct Notice {
    AccountId recipient, from;
    Type type = Type::mention;
    StatusId status;
    std::int64_t about = 0;
};
// Decides whether to notify the recipient (behaviours 11.14), and stores the notification once. Of several
// edits or changes only the newest notification is kept.
void notify(db::Write&, const Notice&);
void withdraw(db::Write&, const Notice&);
void withdraw_of(db::Write&, const Notice&, const std::vector<AccountId>& people);  // instead of `from`

// Removes all notifications to an account from one sender, and the sender's permission.
void forget_from(db::Write&, AccountId, AccountId from);

// An account was notified, and the notification was not filtered.
struct Notified {
    AccountId account, from;
    NotificationId notification;
    Type type = Type::mention;
};
DESCRIBE(Notified, account, from, notification, type)

// An account was notified of a direct status, and the notification was not filtered.
struct DirectReceived {
    AccountId account;
    StatusId status;
};
DESCRIBE(DirectReceived, account, status)

// More followers want notifications of this author's statuses: those with a greater follow id.
struct SubscribersContinued {
    StatusId status;
    AccountId author;
    std::int64_t after = 0;
};
DESCRIBE(SubscribersContinued, status, author, after)

// More accounts boosted an edited status, or voted in a poll that ended: those with a greater id.
struct RebloggersContinued {
    StatusId status;
    AccountId author, after;
    base::Time edited_at;
};
DESCRIBE(RebloggersContinued, status, author, after, edited_at)
struct VotersContinued {
    StatusId poll;
    AccountId author, after;
};
DESCRIBE(VotersContinued, poll, author, after)

// A deleted status with notifications still to be removed.
struct ForgetStatusContinued {
    StatusId status;
};
DESCRIBE(ForgetStatusContinued, status)

// Reactions
void notify_edited(db::Write&, const statuses::Edited&);
void notify_more_rebloggers(db::Write&, const RebloggersContinued&);
void notify_poll_ended(db::Write&, const statuses::PollEnded&);
void notify_more_voters(db::Write&, const VotersContinued&);
void notify_mentioned(db::Write&, const statuses::Published&);
void notify_subscribers(db::Write&, const statuses::Published&);
void notify_more_subscribers(db::Write&, const SubscribersContinued&);
void notify_reblogged(db::Write&, const statuses::Reblogged&);
void withdraw_reblogged(db::Write&, const statuses::Unreblogged&);
void notify_favourited(db::Write&, const statuses::Favourited&);
void withdraw_favourited(db::Write&, const statuses::Unfavourited&);
void notify_rejected(db::Write&, const statuses::InteractionRejected&);
void notify_followed(db::Write&, const relationships::Followed&);
void withdraw_followed(db::Write&, const relationships::Unfollowed&);
void notify_requested(db::Write&, const relationships::FollowRequested&);
void withdraw_requested(db::Write&, const relationships::FollowRequestAnswered&);
void notify_staff(db::Write&, const accounts::Activated&);
void forget_status(db::Write&, const statuses::Deleted&);
void continue_forgetting_status(db::Write&, const ForgetStatusContinued&);
void forget_blocked(db::Write&, const relationships::Blocked&);
void forget_muted(db::Write&, const relationships::Muted&);

// Notifications about collections.

// Reactions. A collection is small enough to notify all its accounts at once.
void notify_added_to_collection(db::Write&, const collections::AddedToCollection&);
void notify_collection_changed(db::Write&, const collections::CollectionChanged&);
void forget_collection(db::Write&, const collections::CollectionDeleted&);

JsonById render_collections(db::Read&, const statuses::Audience&, const std::vector<std::int64_t>& ids);

}  // namespace notifications
